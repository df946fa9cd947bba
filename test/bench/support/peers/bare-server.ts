// The limit of reads: the same bytes without any work. Two arguments: the file with the body, its content type.
const [path, contentType] = process.argv.slice(2) as [string, string];
const body = await Bun.file(path).bytes();
const headers = { "Content-Type": contentType };
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => new Response(body, { status: 200, headers }),
});
console.log(`listening on ${server.url.origin}`);
