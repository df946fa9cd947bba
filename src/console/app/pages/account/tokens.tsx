import { TokenList } from "../../parts/token-list.tsx";
import { me } from "../../state/session.ts";
import { AccountTabs } from "./account-tabs.tsx";

/** The user's access tokens. */
export default function Tokens() {
  return (
    <>
      <AccountTabs />
      <h1>Access tokens</h1>
      <p>
        Programs sign in with a token in the place of your password: <code>git</code>, API clients,{" "}
        <code>outpost api</code>. Each has scopes and an end.
      </p>
      <TokenList userId={me().id} />
    </>
  );
}
