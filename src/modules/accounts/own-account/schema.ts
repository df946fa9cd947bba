import { Type } from "@sinclair/typebox";
import { boolean, date, list, nullable, oneOf, optional, text } from "../../../domain/parameters.ts";
import { scopes } from "../../../domain/scopes.ts";

const clearable = (description?: string) => optional(nullable(text(description === undefined ? {} : { description })));
const secret = (description: string) => text({ description });

/** console 8: what users change about themselves. */
export const ChangeOwnAccount = Type.Object({
  name: optional(text()),
  username: optional(text()),
  email: optional(text({ description: "waits for a confirmation, unless it is a confirmed address of the user" })),
  current_password: optional(secret("with another `email`, for a user who has a password")),
  bio: clearable(),
  pronouns: clearable(),
  job_title: clearable(),
  organization: clearable(),
  location: clearable(),
  website_url: clearable(),
  public_email: clearable("a confirmed address of the user"),
  commit_email: clearable("a confirmed address of the user, or `_private`"),
  private_profile: optional(boolean()),
});

export const ChangeOwnPassword = Type.Object({
  current_password: optional(secret("left out by a user who has none")),
  password: secret("the new one, 8 to 128 characters"),
});

export const AskForPassword = Type.Object({ email: text({ description: "an address of the user" }) });

export const ChoosePassword = Type.Object({
  reset_password_token: secret("of the link in the mail"),
  password: secret("the new one, 8 to 128 characters"),
});

export const ConfirmAddress = Type.Object({ confirmation_token: secret("of the link in the mail") });

export const ConfirmedAddress = Type.Object({ email: Type.String() }, { $id: "ConfirmedAddress" });

export const CreateAnyOwnToken = Type.Object({
  name: text(),
  scopes: list(oneOf(scopes), { split: true }),
  description: optional(nullable(text({ description: "at most 255 characters" }))),
  expires_at: optional(nullable(date({ description: "a year from today by default, and at most" }))),
  current_password: optional(secret("left out by a browser that signed in without a token")),
});
