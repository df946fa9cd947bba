import { answerOf, client } from "../../api/client.ts";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { Refusal } from "../../parts/refusal.tsx";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { noteOwnChange } from "../../state/session.ts";
import { showDone } from "../../state/toasts.ts";
import { AccountTabs } from "./account-tabs.tsx";
import { OwnAvatar } from "./own-avatar.tsx";
import { OwnEmails } from "./own-emails.tsx";
import { OwnStatus } from "./own-status.tsx";

const fields = {
  name: "Name",
  pronouns: "Pronouns",
  bio: "About you",
  job_title: "Job title",
  organization: "Organization",
  location: "Location",
  website_url: "Website",
  private_profile: "Only you and administrators see the profile",
} as const;

/** The user's profile. */
export default function Profile() {
  const { data: user, refusal, reload } = useAnswer("own user", () => answerOf(client.GET("/api/v4/user")));
  const saved = async () => {
    await noteOwnChange();
    showDone("Your profile is saved");
    reload();
  };
  return (
    <>
      <AccountTabs />
      <div class="page-head">
        <h1>Profile</h1>
      </div>
      <Refusal text={refusal} />
      {user !== undefined && (
        <>
          <OwnAvatar user={user} onChange={reload} />
          <SchemaForm
            method="put"
            path="/-/account"
            fields={fields}
            required={["name"]}
            long={["bio"]}
            initial={user}
            action="Save"
            onAnswer={saved}
          />
          <h2>Status</h2>
          <OwnStatus />
          <h2>Email addresses</h2>
          <OwnEmails user={user} onChange={reload} />
        </>
      )}
    </>
  );
}
