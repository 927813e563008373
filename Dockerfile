FROM node:24-slim

# Two of glibc's arenas serve as well as one per thread, in much less memory.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
WORKDIR /app

RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*

# Node and Postgres come from images of their own here, so those that npm would bring are left out.
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund && npm cache clean --force

COPY src src
COPY workers workers
RUN mkdir .data && chown node:node .data

USER node
EXPOSE 3000

# As in the Procfile; a worker runs the other command.
CMD ["node", "src/server.ts"]
