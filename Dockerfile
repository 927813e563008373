FROM node:24-slim AS bundle
WORKDIR /app

COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY bin bin
COPY src src
COPY workers workers
RUN node bin/bundle.js

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app

RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*

# Node and Postgres come from images of their own here, so those that npm would bring are left out.
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund && npm cache clean --force

COPY bin bin
COPY src src
COPY workers workers
COPY --from=bundle /app/.bundle .bundle
RUN mkdir .data && chown node:node .data

# The commit: docker build --build-arg REVISION=$(git rev-parse HEAD) .
ARG REVISION=unknown
LABEL org.opencontainers.image.title=Tocsin org.opencontainers.image.licenses=MIT org.opencontainers.image.revision=$REVISION
RUN echo "$REVISION" > REVISION

USER node
EXPOSE 3000

HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["bash", "bin/healthy.sh"]

# As in the Procfile; a worker runs the other command.
CMD ["node", "bin/tocsin.js", "web"]
