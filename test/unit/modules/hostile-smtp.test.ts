import { expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { smtpTransport } from "../../../src/modules/core/outbox/smtp.ts";
import { until } from "../../support/process/fault-client.ts";

const mail = {
  id: 1,
  to: "ann@people.example",
  subject: "A subject",
  text: "A text",
  created_at: "2027-01-01T00:00:00.000Z",
} as Parameters<ReturnType<typeof smtpTransport>["send"]>[0];

/** Sends a mail through a server that talks so; returns why it was not sent, and waits until the connection is closed. */
async function refusalBy(talk: (socket: Socket) => void, msMax?: number): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => open.delete(socket));
    talk(socket);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = server.address() as { port: number };
  try {
    const sent = smtpTransport(`smtp://127.0.0.1:${port}`, "outpost.example", msMax).send(mail);
    const reason = await sent.then(
      () => "sent",
      (error: Error) => error.message,
    );
    await until("the connection is closed", () => open.size === 0);
    return reason;
  } finally {
    server.close();
  }
}

function flood(socket: Socket, piece: Buffer): void {
  const write = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on("drain", write);
  write();
}

test("a mail server that sends a byte now and then does not hold the queue", async () => {
  const drip = (socket: Socket) => {
    socket.write("220 here\r\n250-");
    const timer = setInterval(() => socket.write("a"), 10);
    socket.once("close", () => clearInterval(timer));
  };
  expect(await refusalBy(drip, 200)).toBe("the delivery took more than 0.2 seconds");
  // The library closes the connection five seconds later.
}, 30_000);

test("a reply without an end is not kept in memory", async () => {
  const line = Buffer.alloc(1 << 20, "a");
  const lines = Buffer.from("220-and more\r\n".repeat(10_000));
  for (const piece of [line, lines]) {
    expect(await refusalBy((socket) => flood(socket, piece))).toContain("exceeds maximum allowed size");
  }
});
