// What every script that drives @gitbeaker/rest begins with: the administrator's client of the server at HOST with TOKEN.
import { Gitlab } from "@gitbeaker/rest";

export const { HOST: host, TOKEN: token } = process.env;
export const api = new Gitlab({ host, token });

/** With what status a call is refused. */
export const statusOf = (call) =>
  call.then(
    () => "accepted",
    ({ cause }) => cause?.response?.status,
  );

/** What a call is refused with. */
export const refusal = (call) =>
  call.then(
    () => "accepted",
    ({ cause }) => ({ status: cause?.response?.status, description: cause?.description }),
  );

/** Somebody with a token of their own, and their client. */
export async function person(username, name = username) {
  const email = `${username}@skylark.example`;
  const user = await api.Users.create({ email, username, name, forceRandomPassword: true });
  const own = await api.Users.createPersonalAccessToken(user.id, "laptop", ["api"]);
  return { id: user.id, token: own.token, api: new Gitlab({ host, token: own.token }) };
}
