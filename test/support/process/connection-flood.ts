/**
 * A program that takes all connections of a server that it can, from 127.0.0.1, and opens each again that the server closes.
 * One in three never ends its request and sends a byte of it each second. It writes a dot for a hundred connections.
 */
import { connect } from "node:net";

const [port, count] = process.argv.slice(2).map(Number);
const whole = "GET /-/liveness HTTP/1.1\r\nHost: a\r\n\r\n";
const unfinished = "GET /-/liveness HTTP/1.1\r\nHost: a\r\nX-Unfinished: ";
let opened = 0;

function open(at: number): void {
  const isSlow = at % 3 === 0;
  const socket = connect(port as number, "127.0.0.1", () => {
    opened += 1;
    if (opened % 100 === 0) process.stdout.write(".");
    socket.write(isSlow ? unfinished : whole);
  });
  const drip = setInterval(() => socket.write(isSlow ? "a" : whole), isSlow ? 1_000 : 6_000);
  socket.on("error", () => undefined);
  socket.on("data", () => undefined);
  socket.once("close", () => {
    clearInterval(drip);
    setTimeout(() => open(at), 1);
  });
}

for (let at = 0; at < (count as number); at += 1) open(at);
