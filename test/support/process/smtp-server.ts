import { createServer, type Server, type Socket } from "node:net";

/** A mail as it came over the wire. */
interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  /** Header and body, with dots unstuffed. */
  readonly data: string;
}

/** Answers to take the place of the usual ones: a command's first word → a reply; left out, all is well. */
export type Moods = Partial<Record<"CONNECT" | "AUTH" | "RCPT" | "DATA", string>>;

/** As much of an SMTP server as a client needs, on a port of this machine. */
export interface SmtpServer extends AsyncDisposable {
  readonly port: number;
  readonly received: ReceivedMail[];
  /** Commands as they came, without those of the mails. */
  readonly commands: string[];
  mood: Moods;
}

/** `CONNECT: ""` in its moods hangs up on everybody. */
export async function startSmtpServer(mood: Moods = {}, port = 0): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    converse(socket, smtp);
  });
  const smtp: SmtpServer = {
    port: await listen(server, port),
    received: [],
    commands: [],
    mood,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return smtp;
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function converse(socket: Socket, smtp: SmtpServer): void {
  const { CONNECT = "220 here" } = smtp.mood;
  if (CONNECT === "") {
    socket.destroy();
    return;
  }
  socket.write(`${CONNECT}\r\n`);
  let text = "";
  let envelope = { from: "", to: "" };
  let isData = false;
  const answer = (line: string): string => {
    smtp.commands.push(line);
    const address = /<(.*)>/.exec(line)?.[1] ?? "";
    switch (line.split(" ", 1)[0]?.toUpperCase()) {
      case "EHLO":
        return "250-here\r\n250 AUTH PLAIN";
      case "AUTH":
        return smtp.mood.AUTH ?? "235 welcome";
      case "MAIL":
        envelope = { from: address, to: "" };
        return "250 ok";
      case "RCPT":
        envelope = { ...envelope, to: address };
        return smtp.mood.RCPT ?? "250 ok";
      case "DATA":
        isData = smtp.mood.DATA === undefined;
        return smtp.mood.DATA ?? "354 go on";
      default:
        return "250 ok";
    }
  };
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    for (;;) {
      const mark = isData ? "\r\n.\r\n" : "\r\n";
      const end = text.indexOf(mark);
      if (end < 0) return;
      const part = text.slice(0, end);
      text = text.slice(end + mark.length);
      if (isData) {
        isData = false;
        smtp.received.push({ ...envelope, data: part.replaceAll("\r\n..", "\r\n.") });
        socket.write("250 taken\r\n");
      } else socket.write(`${answer(part)}\r\n`);
    }
  });
}
