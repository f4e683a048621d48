# node:26.10.0-slim. Pinned, so that an image is built from what was looked at: docs/deployment.md, Pinned images.
FROM node:26-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS build
WORKDIR /easel
COPY package.json package-lock.json .npmrc ./
COPY packages/fakes/package.json packages/fakes/
COPY packages/studio/package.json packages/studio/
# Scripts would bring another Node.js; this one is 26.
RUN npm ci --ignore-scripts
COPY . .
RUN node build.ts \
	&& npm prune --omit=dev --ignore-scripts \
	&& find dist node_modules -type f \( -name '*.d.ts' -o -name '*.d.[cm]ts' -o -name '*.map' \) -delete \
	# The base below lacks this library, which Node.js needs.
	&& mkdir data lib && cp -L /usr/lib/*-linux-gnu/libatomic.so.1 lib/

# No shell, no package manager: what runs is Node.js and Easel.
FROM gcr.io/distroless/cc-debian12:nonroot@sha256:9dac0a79194e45a7da0158a9c6da57b217585af0786db3845d1f0ec1a0dd182f
# Hosts whose volumes belong to root build with RUN_AS=0:0.
ARG RUN_AS=65532:65532
WORKDIR /easel
COPY --from=build /usr/local/bin/node /usr/local/bin/
COPY --from=build /easel/package.json ./
COPY --from=build /easel/lib lib
COPY --from=build /easel/node_modules node_modules
COPY --from=build /easel/bin bin
COPY --from=build /easel/dist dist
COPY --from=build --chown=${RUN_AS} /easel/data data
USER ${RUN_AS}
# glibc would keep the memory of pictures that are gone. https://man7.org/linux/man-pages/man3/mallopt.3.html (M_ARENA_MAX, M_MMAP_THRESHOLD)
ENV HOST=0.0.0.0 LOG_FORMAT=json NODE_ENV=production LD_LIBRARY_PATH=/easel/lib MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
EXPOSE 3000
VOLUME /easel/data
# Not /healthz: it is 503 while Discord, Slack or the store is away, which a restart does not mend.
HEALTHCHECK --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/livez').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# Further words are those of the command easel: docker run … doctor
ENTRYPOINT ["node", "/easel/bin/easel.js"]
