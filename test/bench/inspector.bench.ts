import { rememberRequest } from "../../src/http/entry/request-log.ts";
import { RequestRing } from "../../src/modules/admin/recent-requests/ring.ts";
import { type Bench, median, verdict } from "./support/figures.ts";

const requests = 500_000;
const rounds = 7;

/** Microseconds of one request, with the names of three parameters of a body. */
function measure(ring: RequestRing): number {
  const request = new Request("http://127.0.0.1/api/v4/projects/9/issues?page=2", {
    method: "POST",
    headers: { "Content-Length": "120" },
  });
  const seen = {
    ...{ request, path: "/api/v4/projects/9/issues", search: "?page=2", requestId: "01ARZ3NDEKTSV4RRFFQ69G5FAV" },
    ...{ route: "/projects/:id/issues", userId: 7, bodyNames: ["title", "labels", "weight"] },
    ...{ responseBytes: 900, refusal: undefined },
  };
  const startedAt = performance.now();
  for (let count = 0; count < requests; count += 1) rememberRequest(ring, seen, 201, 0.4);
  return ((performance.now() - startedAt) * 1000) / requests;
}

async function run(): Promise<void> {
  const ring = new RequestRing({ now: Date.now });
  const micros = Array.from({ length: rounds }, () => measure(ring));
  console.log(`  a request kept for the console: ${verdict(median(micros), "at most", 1, " µs")}`);
}

export const bench: Bench = { title: "the request inspector: what it adds to each request", run };
