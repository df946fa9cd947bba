import { answerOf, client } from "../../api/client.ts";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { Refusal } from "../../parts/refusal.tsx";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { showDone } from "../../state/toasts.ts";

/** The user's temporary status, which others see beside the name. */
export function OwnStatus() {
  const { data: status, refusal, reload } = useAnswer("own status", () => answerOf(client.GET("/api/v4/user/status")));
  if (status === undefined) return <Refusal text={refusal} />;
  return (
    <SchemaForm
      key={JSON.stringify(status)}
      method="put"
      path="/api/v4/user/status"
      fields={{
        message: "Message",
        emoji: "Emoji",
        availability: "Availability",
        clear_status_after: "Clear it after",
      }}
      initial={status}
      action="Set the status"
      onAnswer={() => {
        showDone("Your status is set");
        reload();
      }}
    />
  );
}
