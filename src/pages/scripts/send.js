// <form data-send>: sent as soon as the page is there. Without scripts, the user presses its button.
const form = document.querySelector('form[data-send]')

if (form instanceof HTMLFormElement) form.submit()
