# node:26.10.0-slim. Pinned, so that an image is built from what was looked at: docs/deployment.md, Pinned images.
FROM node:26-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
WORKDIR /easel
COPY package.json package-lock.json ./
# No package of production has an install script.
RUN npm ci --omit=dev --ignore-scripts
COPY commands commands
COPY src src
COPY packages/studio packages/studio
RUN mkdir data && chown node:node data
USER node
# glibc would keep the memory of pictures that are gone. https://man7.org/linux/man-pages/man3/mallopt.3.html (M_ARENA_MAX, M_MMAP_THRESHOLD)
ENV HOST=0.0.0.0 LOG_FORMAT=json MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
EXPOSE 3000
VOLUME /easel/data
# Not /healthz: it is 503 while Discord, Slack or the store is away, which a restart does not mend.
HEALTHCHECK --start-period=20s CMD node -e "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/livez').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
CMD ["node", "src/main.ts"]
