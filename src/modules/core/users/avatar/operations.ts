import { Type } from "@sinclair/typebox";
import { unknownRoute } from "../../../../domain/failure.ts";
import { idInPath, text, upload } from "../../../../domain/parameters.ts";
import { file, ok, operation } from "../../../kernel/operation.ts";
import { avatarUrl } from "../present.ts";
import { getUser } from "../service.ts";
import { drawAvatar } from "./avatar.ts";
import { getAvatar, updateOwnAvatar } from "./service.ts";

export const avatarOperations = [
  operation({
    method: "PUT",
    path: "/user/avatar",
    summary: "Upload an avatar for the current user",
    who: "signed_in",
    params: Type.Object({ avatar: upload({ description: "an image of at most 200 KiB" }) }),
    answer: ok(Type.Object({ avatar_url: Type.String() })),
    async handle({ context, caller, params, baseUrl }) {
      return { avatar_url: avatarUrl(await updateOwnAvatar(context, caller, params.avatar), baseUrl) };
    },
  }),

  operation({
    method: "GET",
    path: "/-/avatars/:picture",
    root: true,
    summary: "Get the generated avatar of a user",
    who: "anyone",
    scopes: "any",
    params: Type.Object({ picture: text({ description: "`<user id>.svg`" }) }),
    answer: file({ maxAgeS: 86_400 }),
    handle({ context, params }) {
      const id = /^(\d{1,15})\.svg$/.exec(params.picture)?.[1];
      if (id === undefined) throw unknownRoute();
      return drawAvatar(getUser(context.store, Number(id)));
    },
  }),

  operation({
    method: "GET",
    path: "/uploads/-/system/user/avatar/:id/:filename",
    root: true,
    summary: "Get the uploaded avatar of a user",
    who: "anyone",
    scopes: "any",
    params: Type.Object({ id: idInPath("user id"), filename: text() }),
    answer: file({ maxAgeS: 300 }),
    handle: ({ context, params }) => getAvatar(context, params.id, params.filename),
  }),
];
