import { send } from "../../api/client.ts";
import { addressOf } from "../../api/paths.ts";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { AddFile } from "../../parts/project/add-file.tsx";
import { isEmptyRepository, ProjectHead, useProject } from "../../parts/project/project-head.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { hrefOf, place } from "../../state/router.ts";
import type { PageProps } from "../index.ts";

/** The most bytes that the page shows. A link opens the whole file. */
const shownBytesMax = 512 * 1024;

/** The files and folders of a repository, one folder at a time, and one file as text. */
export default function Files({ params }: PageProps) {
  const id = Number(params.id);
  const { data: project } = useProject(id);
  const { query } = place.value;
  const ref = query.get("ref") ?? project?.default_branch ?? "";
  const folder = query.get("path") ?? "";
  const file = query.get("file");
  const to = (changes: Readonly<Record<string, string>>) =>
    hrefOf(`/projects/${id}/files?${new URLSearchParams({ ...(ref === "" ? {} : { ref }), ...changes })}`);
  const above = folder.split("/").slice(0, -1).join("/");
  return (
    <>
      <ProjectHead id={id} title={file ?? (folder || "Files")} />
      {file !== null ? (
        <>
          <p>
            <a href={to({ path: file.split("/").slice(0, -1).join("/") })}>Back to the folder</a>
          </p>
          <FileText id={id} path={file} gitRef={ref} />
        </>
      ) : (
        project !== undefined && (
          <>
            {folder !== "" && (
              <p>
                <a href={to({ path: above })}>Folder above</a>
              </p>
            )}
            {isEmptyRepository(project) ? (
              <Nothing id={id} />
            ) : (
              <KeysetList
                label="Files"
                path="/api/v4/projects/{id}/repository/tree"
                values={{ id }}
                query={{ path: folder, ref, per_page: 100, pagination: "keyset" }}
                keyOf={({ path }) => path}
                empty={<Nothing id={id} />}
                columns={[
                  {
                    head: "Name",
                    cell: ({ name, path, type }) => (
                      <a href={to(type === "tree" ? { path } : { path: folder, file: path })} class="long">
                        <bdi>{type === "tree" ? `${name}/` : name}</bdi>
                      </a>
                    ),
                  },
                  { head: "Mode", cell: ({ mode }) => <code>{mode}</code> },
                ]}
              />
            )}
          </>
        )
      )}
    </>
  );
}

function Nothing({ id }: { readonly id: number }) {
  return (
    <p class="empty">
      Nothing is here yet: <AddFile id={id} name="README.md" />
    </p>
  );
}

interface FileTextProps {
  readonly id: number;
  readonly path: string;
  readonly gitRef: string;
}

function FileText({ id, path, gitRef }: FileTextProps) {
  const address = addressOf(
    "/api/v4/projects/{id}/repository/files/{file_path}/raw",
    { id, file_path: path },
    gitRef === "" ? {} : { ref: gitRef },
  );
  const { data, refusal } = useAnswer(address, async () => {
    const bytes = new Uint8Array(await (await send(new URL(address, location.origin).href)).arrayBuffer());
    return { bytes, isText: !bytes.subarray(0, 8_000).includes(0) };
  });
  if (refusal !== "") return <Refusal text={refusal} />;
  if (data === undefined) return <p role="status">Loading…</p>;
  return (
    <>
      <p>
        <a href={address} download={path.split("/").at(-1)}>
          Download
        </a>{" "}
        <span class="weak">{data.bytes.length.toLocaleString()} bytes</span>
      </p>
      {data.isText ? (
        <pre class="code text">{new TextDecoder().decode(data.bytes.subarray(0, shownBytesMax))}</pre>
      ) : (
        <p>The file is not a text.</p>
      )}
      {data.isText && data.bytes.length > shownBytesMax && <p class="weak">The rest is in the download.</p>}
    </>
  );
}
