// The load generator for machines without wrk. One argument, the load as JSON; one line of JSON comes out.
import autocannon from "autocannon";

const { url, token, isVaried, connections, seconds, body } = JSON.parse(process.argv[2]);
const headers = { "PRIVATE-TOKEN": token, "Content-Type": "application/json" };
let count = 0;
const post = {
  method: "POST",
  path: new URL(url).pathname,
  headers,
  setupRequest: (request) => ({ ...request, body: body.replaceAll("{n}", String(++count)) }),
};
const varied = {
  method: "GET",
  setupRequest: (request) => {
    const { pathname, search } = new URL(url);
    count += 1;
    return { ...request, path: `${pathname}${search}&page=${(count % 100) + 1}&n=${count}` };
  },
};
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  headers,
  ...(body !== undefined ? { requests: [post] } : isVaried ? { requests: [varied] } : {}),
});
const failed = result.non2xx + result.errors + result.timeouts;
const { total } = result.requests;
const { p50, p99 } = result.latency;
const summary = { requests: total, duration: result.duration * 1e6, p50: p50 * 1e3, p99: p99 * 1e3, failed };
console.log(JSON.stringify(summary));
