# Site, API and command line in one image: see src/server/deploying/container.md.

FROM node:20.20.2-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# The origin of canonical links, sharing cards and links in emails. Empty: that of brand.ts.
ARG SITE_ORIGIN=""
RUN SITE_ORIGIN="$SITE_ORIGIN" npm run build
RUN npm ci --omit=dev --prefer-offline
# SQLite's driver comes with its source and with builds for six systems: 26 of its 29 MB.
RUN cd node_modules/@photostructure/sqlite \
	&& rm -r src scripts \
	&& find prebuilds -name '*.node' ! -path "*/linux-$(node -p process.arch)/*.glibc.node" -delete

FROM node:20.20.2-bookworm-slim
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/src/server/deploying/nightly.sh ./
# The place to mount a volume at. There is no VOLUME here, because Railway refuses to build it.
RUN mkdir --mode=0700 /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 PORT=3000 DATABASE_URL=file:/data/waitlist.db
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
	CMD ["node", "dist/server/health.js"]
# Without a shell or npm in between, so that the signal to stop reaches the server.
CMD ["node", "dist/server/main.js"]
