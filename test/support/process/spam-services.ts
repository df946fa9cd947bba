import { afterAll } from "bun:test";

/** One form that a service got. */
interface Posted {
  readonly path: string;
  readonly type: string;
  readonly form: Readonly<Record<string, string>>;
}

type Answering = (posted: Posted) => Response | Promise<Response>;

/** Stands in for Akismet and for the CAPTCHA service, at an address of this machine, until the tests of the file end. */
export interface SpamServices {
  readonly url: string;
  /** Every form so far, oldest first. */
  readonly posted: Posted[];
  /** Resolves with the next form when it comes, before it is answered. */
  nextPost(): Promise<Posted>;
  /** The answers to requests from now on; at first no text is spam and no token is valid. */
  answer: { akismet: Answering; recaptcha: Answering };
}

export function startSpamServices(): SpamServices {
  const waiting: ((posted: Posted) => void)[] = [];
  const posted: Posted[] = [];
  const answer: SpamServices["answer"] = {
    akismet: () => new Response("false"),
    recaptcha: () => Response.json({ success: false }),
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const form = Object.fromEntries(new URLSearchParams(await request.text()));
      const { pathname: path } = new URL(request.url);
      const post = { path, type: request.headers.get("content-type") ?? "", form };
      posted.push(post);
      for (const tell of waiting.splice(0)) tell(post);
      return path === "/1.1/comment-check" ? answer.akismet(post) : answer.recaptcha(post);
    },
  });
  afterAll(() => server.stop(true));
  return {
    url: `http://127.0.0.1:${server.port}`,
    posted,
    nextPost: () => new Promise((resolve) => waiting.push(resolve)),
    answer,
  };
}
