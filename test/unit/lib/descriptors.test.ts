import { expect, test } from "bun:test";
import { connect } from "node:net";
import { platform } from "../../../src/lib/platform/index.ts";

const descriptors = platform.descriptors?.();

test.skipIf(descriptors === undefined)("connections to a port are listed, and one is shut down alone", async () => {
  if (descriptors === undefined) return;
  using server = Bun.serve({ port: 0, hostname: "::", fetch: () => new Response("here") });
  const port = server.port as number;
  const open = (host: string) => {
    const socket = connect(port, host, () => socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    const answered = new Promise((resolve) => socket.once("data", resolve));
    const ended = new Promise((resolve) => socket.once("close", resolve));
    return { socket, answered, ended };
  };
  const [four, six] = [open("127.0.0.1"), open("::1")];
  await Promise.all([four.answered, six.answered]);
  const listed = descriptors.listConnections(port);
  expect(listed.map(({ address }) => address).sort()).toEqual(["0:0:0:0:0:0:0:1", "127.0.0.1"]);
  expect(listed.map((each) => each.port).sort()).toEqual(
    [four, six].map(({ socket }) => Number(socket.localPort)).sort(),
  );
  expect(descriptors.count()).toBeGreaterThan(listed.length);
  // The runtime compiles what is called often, and must still see what the system wrote.
  for (let turn = 0; turn < 2_000; turn += 1) {
    expect(descriptors.listConnections(port).map(({ fd }) => fd)).toEqual(listed.map(({ fd }) => fd));
  }
  const first = listed.find(({ address }) => address === "127.0.0.1");
  if (first !== undefined) descriptors.shutDown(first);
  await four.ended;
  expect(six.socket.destroyed).toBe(false);
  expect(descriptors.listConnections(port).map(({ address }) => address)).toEqual(["0:0:0:0:0:0:0:1"]);
  six.socket.destroy();
});
