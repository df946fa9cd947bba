import { type TSchema, Type } from "@sinclair/typebox";

const options = (name: string) => ({ $id: name, additionalProperties: false });

/** The usual body of an error, and of an answer that only announces later work. */
export const Message = Type.Object(
  { message: Type.String({ description: "What happened, in a sentence" }) },
  options("Message"),
);

const InvalidParameters = Type.Object(
  {
    error: Type.String({ description: "What is wrong with the parameters, all of it in one sentence" }),
    message: Type.Optional(Type.String({ description: "The same, where a parameter is missing" })),
  },
  options("InvalidParameters"),
);

const InvalidAttributes = Type.Object(
  {
    message: Type.Record(Type.String(), Type.Unknown(), {
      description: "What is wrong with each attribute: a list of texts by its name",
    }),
  },
  options("InvalidAttributes"),
);

const InvalidRecord = Type.Object(
  { message: Type.Array(Type.String(), { description: "What is wrong, each in a sentence" }) },
  options("InvalidRecord"),
);

const InvalidToken = Type.Object(
  {
    error: Type.String({ description: "`invalid_token`, or what is wrong with the request" }),
    error_description: Type.Optional(Type.String({ description: "What is wrong with the token" })),
  },
  options("InvalidToken"),
);

const InsufficientScope = Type.Object(
  {
    error: Type.String({ description: "`insufficient_scope`" }),
    error_description: Type.String({ description: "What is wrong with the token" }),
    scope: Type.String({ description: "Scopes that would do, with spaces between" }),
  },
  options("InsufficientScope"),
);

const CaptchaRequired = Type.Object(
  {
    needs_captcha_response: Type.Boolean({ description: "Spam, unless a CAPTCHA is solved: see `spam_log_id`" }),
    spam_log_id: Type.Integer({ description: "To be sent again with the CAPTCHA's answer" }),
    captcha_site_key: Type.String({ description: "Public key for the CAPTCHA" }),
    message: Type.Record(Type.String(), Type.Unknown(), { description: "Says that a CAPTCHA is required" }),
  },
  options("CaptchaRequired"),
);

const InapplicableChange = Type.Object(
  {
    message: Type.String({ description: "What happened, in a sentence" }),
    error_code: Type.Union([Type.Literal("empty"), Type.Literal("conflict")], {
      description: "`empty`: the branch has the change already; `conflict`: somebody has to decide",
    }),
    dry_run: Type.Optional(Type.Literal("error", { description: "The change was only tried" })),
  },
  options("InapplicableChange"),
);

const WrongRequest = Type.Object(
  { error: Type.String({ description: "What is wrong with the request" }) },
  options("WrongRequest"),
);

/** Other bodies of errors, by status (rest-conventions 6). Tests compare every error with them. */
const bodies: Readonly<Record<number, TSchema>> = {
  400: Type.Union([Message, InvalidParameters, InvalidAttributes, InapplicableChange]),
  401: Type.Union([Message, InvalidToken]),
  403: Type.Union([Message, InsufficientScope, InvalidAttributes]),
  404: Type.Union([Message, WrongRequest]),
  405: Type.Union([Message, WrongRequest]),
  409: Type.Union([Message, CaptchaRequired, InvalidAttributes, InvalidRecord]),
  415: WrongRequest,
  422: Type.Union([Message, InvalidAttributes, InvalidRecord]),
  429: Type.Union([Message, InvalidAttributes]),
};

/** Returns the body schema of errors with a status. */
export function errorBodyOf(status: number): TSchema {
  return bodies[status] ?? Message;
}
