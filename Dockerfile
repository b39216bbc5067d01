# Two stages: the first has everything that builds, the second only what runs (the bundle and the database addon).
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Not --omit=optional: esbuild's own binary is an optional package.
RUN npm ci
COPY . .
RUN node scripts/build.ts && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data MALLOC_ARENA_MAX=2
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules/better-sqlite3 ./node_modules/better-sqlite3
COPY --from=build /app/dist ./dist
COPY --from=build /app/scripts/health-check.sh ./
# What the commands call themselves: docker exec NAME twinshelf stores list
RUN mkdir /data && chown node:node /data \
  && printf '#!/bin/sh\nexec node /app/dist/server.mjs "$@"\n' >/usr/local/bin/twinshelf && chmod 755 /usr/local/bin/twinshelf
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 CMD ["./health-check.sh"]
CMD ["node", "--max-old-space-size=128", "--max-semi-space-size=2", "--heap-growing-percent=50", "dist/server.mjs"]
