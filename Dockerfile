FROM node:26-slim
WORKDIR /easel
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
COPY commands commands
COPY src src
RUN mkdir data && chown node:node data
USER node
# glibc would keep the memory of pictures that are gone. https://man7.org/linux/man-pages/man3/mallopt.3.html (M_MMAP_THRESHOLD)
ENV HOST=0.0.0.0 LOG_FORMAT=json MALLOC_MMAP_THRESHOLD_=131072
EXPOSE 3000
VOLUME /easel/data
HEALTHCHECK --start-period=20s CMD node -e "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/healthz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
CMD ["node", "src/main.ts"]
