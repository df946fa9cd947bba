import { answerOf, client } from "../../../api/client.ts";
import { addressOf } from "../../../api/paths.ts";
import { ApiButton } from "../../../parts/buttons/api-button.tsx";
import { CopyButton } from "../../../parts/buttons/copy-button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { useAnswer } from "../../../parts/hooks/use-answer.ts";
import { KeysetList } from "../../../parts/keyset-list.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { basePath } from "../../../state/base.ts";
import { hrefOf, place, setQuery } from "../../../state/router.ts";
import type { PageProps } from "../../index.ts";

/** The documents of a collection, by id. */
export default function Collection({ params }: PageProps) {
  const collection = params.name ?? "";
  const { query } = place.value;
  const from = query.get("from") ?? "";
  const open = query.get("open") ?? "";
  return (
    <>
      <p>
        <a href={hrefOf("/data")}>Data</a>
      </p>
      <h1>{collection}</h1>
      <search class="filters">
        <label>
          From id{" "}
          <input
            type="number"
            min={0}
            value={from}
            onChange={({ currentTarget }) => setQuery({ from: currentTarget.value })}
          />
        </label>
      </search>
      <KeysetList
        label="Documents"
        path="/-/data/{collection}"
        values={{ collection }}
        query={{ per_page: 50, ...(from === "" ? {} : { from_id: Number(from) }) }}
        keyOf={({ id }) => id}
        empty={
          <p>
            No document has such an id. Calls of <a href={`${basePath}/-/api`}>the API</a> make documents.
          </p>
        }
        columns={[
          {
            head: "Id",
            cell: ({ id }) => (
              <button type="button" class="quiet" onClick={() => setQuery({ open: String(id) })}>
                {id}
              </button>
            ),
          },
          { head: "Name", cell: ({ label }) => <bdi class="long">{label ?? ""}</bdi> },
        ]}
      />
      {open !== "" && (
        <DocumentDialog collection={collection} id={Number(open)} onClose={() => setQuery({ open: "" })} />
      )}
    </>
  );
}

interface DocumentProps {
  readonly collection: string;
  readonly id: number;
  readonly onClose: () => void;
}

function DocumentDialog({ collection, id, onClose }: DocumentProps) {
  const path = { collection, id };
  const ask = () => answerOf(client.GET("/-/data/{collection}/{id}", { params: { path } }));
  const { data: found, refusal } = useAnswer(`${collection} ${id}`, ask);
  const text = JSON.stringify(found?.document, null, 2);
  return (
    <Dialog title={`${collection} ${id}`} onClose={onClose}>
      <Refusal text={refusal} />
      {found !== undefined && (
        <>
          {found.hidden.length > 0 && <p class="weak">Secret, and not shown: {found.hidden.join(", ")}.</p>}
          <textarea class="code" rows={18} readOnly aria-label="Document" value={text} />
          <div class="actions">
            <CopyButton text={text} />
            <ApiButton call={{ method: "GET", address: addressOf("/-/data/{collection}/{id}", path) }} />
          </div>
        </>
      )}
    </Dialog>
  );
}
