# CI has no engine and does not build this. Its steps (the copies, `npm ci`, `npm ci --omit=dev`, the start with the
# environment below) were tried in a plain folder; build it once with `docker build .` before you rely on it.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json tsconfig.build.json ./
COPY src src
COPY routes routes
COPY schemas schemas
# Builds too, through `prepare`.
RUN npm ci

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without `prepare`: there is nothing to build with, and it is built already.
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    ARTIFACT_ROOT=/artifacts \
    # File reads have threads of their own; this pool serves name look-ups, readiness checks and the log. A check of
    # storage that hangs holds one of them, and so may a stalled reader of the log: two are left, always.
    UV_THREADPOOL_SIZE=4
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
RUN mkdir /artifacts
# Nothing is written to the file system: it may be read-only, and so may the volume.
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/livez').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The flags keep garbage, and with it the resident memory, small, as in `npm start`.
# SIGTERM reaches the service itself, which is gone within 15 s.
CMD ["node", "--max-semi-space-size=4", "--heap-growing-percent=20", "dist/src/server.js"]
