<?php

namespace Shop;

require __DIR__ . '/vendor/autoload.php';

// The DSN is in SENTRY_DSN.
\Sentry\init(['release' => 'shop@1.2.3', 'environment' => 'testing']);
\Sentry\configureScope(function (\Sentry\State\Scope $scope): void {
    $scope->setUser(['id' => '17', 'email' => 'ann@example.com']);
    $scope->setTag('till', '4');
});
\Sentry\addBreadcrumb('cart', 'The cart was opened');

function pay(string $order): void
{
    try {
        charge();
    } catch (\InvalidArgumentException $cause) {
        throw new \RuntimeException("Order $order was not paid", 0, $cause);
    }
}

function charge(): void
{
    throw new \InvalidArgumentException('The card was declined');
}

try {
    pay(getenv('ORDER'));
} catch (\RuntimeException $error) {
    \Sentry\captureException($error);
}

\Sentry\captureMessage('The till is low on paper', \Sentry\Severity::warning());
