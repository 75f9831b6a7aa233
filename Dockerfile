# One image for every process: its command is one of `cowry`, for instance `run worker`.

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Not `npm ci`: it refuses a lock file with unresolved packages of other platforms. Optional packages are included: password hashing has one per
# platform. A compiler that Solana's libraries name as a peer, and never run, is left out.
RUN npm install --omit=dev --ignore-scripts --no-save --no-audit --no-fund && rm -r node_modules/typescript

FROM node:24-slim AS built
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm install --ignore-scripts --no-save --no-audit --no-fund
COPY client ./client
COPY docs ./docs
COPY api/openapi.json ./api/
COPY web ./web
RUN node node_modules/vite/bin/vite.js build web
# Bundle the packages into a few files, which Node loads in half the time.
COPY scripts/bundled ./scripts/bundled
RUN node scripts/bundled/build.mjs

FROM node:24-slim
ENV NODE_ENV=production \
    METRICS_HOST=0.0.0.0 \
    METRICS_PORT=9464 \
    NODE_COMPILE_CACHE=/app/.compiled
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=built /app/node_modules/.cache/cowry ./node_modules/.cache/cowry
COPY package.json package-lock.json LICENSE NOTICE .env.example ./
COPY --from=built /app/web/dist ./web/dist
COPY api ./api
COPY indexers ./indexers
COPY migrations ./migrations
COPY queues ./queues
COPY treasury ./treasury
COPY commands ./commands
COPY scripts/compileAhead.mjs scripts/preload.mjs scripts/cowry.mjs scripts/oldNames.mjs ./scripts/
COPY scripts/bundled ./scripts/bundled
COPY src ./src
# Compile once for all containers: this halves the CPU of a start. Processes only read the folder.
RUN node scripts/compileAhead.mjs /app/.compiled "$(id -u node)"
# Processes write nothing to disk, and own nothing here, but for the volume of uploads.
RUN install -d -o node -g node -m 700 /uploads
USER node
EXPOSE 3000 3100 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Every process ends at SIGTERM and starts no other, so it may be a container's first process.
ENTRYPOINT ["node", "--import", "./scripts/preload.mjs", "--disable-warning=ExperimentalWarning", "commands/cowry.ts"]
CMD ["run", "api"]
