import { answerOf, client } from "../../api/client.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Facts } from "../../parts/facts.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { Figure, Moment } from "../../parts/moment.tsx";
import { Refusal } from "../../parts/refusal.tsx";

interface AlertDialogProps {
  readonly projectId: number;
  readonly iid: number;
  readonly onClose: () => void;
}

/** An alert with its payload. */
export function AlertDialog({ projectId: id, iid, onClose }: AlertDialogProps) {
  const { data: alert, refusal } = useAnswer(`alert ${id} ${iid}`, () =>
    answerOf(
      client.GET("/api/v4/projects/{id}/alert_management_alerts/{alert_iid}", {
        params: { path: { id, alert_iid: iid } },
      }),
    ),
  );
  return (
    <Dialog title={alert?.title ?? `Alert ${iid}`} onClose={onClose}>
      <Refusal text={refusal} />
      {alert !== undefined && (
        <>
          <Facts
            of={[
              ["Severity", alert.severity],
              ["Status", alert.status],
              ["Events", <Figure key="events" of={alert.event_count} />],
              ["Grouped by", <code key="fingerprint">{alert.fingerprint ?? "nothing"}</code>],
              ["Started", <Moment key="started" at={alert.started_at} isPrecise />],
              ["Ended", <Moment key="ended" at={alert.ended_at} isPrecise />],
              ["From", alert.monitoring_tool ?? alert.service ?? "not said"],
              ["Hosts", alert.hosts.join(", ") || "not said"],
            ]}
          />
          {alert.description && <p class="text">{alert.description}</p>}
          <textarea
            class="code"
            rows={12}
            readOnly
            aria-label="Payload"
            value={JSON.stringify(alert.payload, null, 2)}
          />
        </>
      )}
    </Dialog>
  );
}
