import { operationsInDocument } from "../../api/schemas.ts";
import { SearchField } from "../../parts/filters.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { basePath } from "../../state/base.ts";
import { place } from "../../state/router.ts";

/** More rows than a person reads; a search finds the rest. */
const rowsMax = 100;

/** Who may call which operation, as the API reference says. */
export default function Permissions() {
  const { data: operations, refusal } = useAnswer("operations", operationsInDocument);
  const words = (place.value.query.get("search") ?? "").toLowerCase().split(" ").filter(Boolean);
  const found = (operations ?? []).filter((each) => {
    const text = `${each.method} ${each.path} ${each.summary} ${each.who}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <>
      <h1>Permissions</h1>
      <search class="filters">
        <SearchField />
      </search>
      <Refusal text={refusal} />
      <div class="table-frame">
        <table aria-busy={operations === undefined && refusal === ""}>
          <thead>
            <tr>
              <th scope="col">Call</th>
              <th scope="col">Does</th>
              <th scope="col">Who</th>
              <th scope="col">Scopes of tokens</th>
              <th scope="col">Editions</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, rowsMax).map(({ method, path, id, tag, ...each }) => (
              <tr key={`${method} ${path}`}>
                <td class="long">
                  <a href={`${basePath}/-/api#/${encodeURIComponent(tag)}/${id}`}>
                    {method} {path}
                  </a>
                </td>
                <td>{each.summary}</td>
                <td>{each.who}</td>
                <td>{each.scopes}</td>
                <td>{each.editions}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.length > rowsMax && (
        <p class="weak">
          {rowsMax} of {found.length} operations are shown. Search for the others.
        </p>
      )}
      {operations !== undefined && found.length === 0 && <p class="empty">No operation has these words.</p>}
    </>
  );
}
