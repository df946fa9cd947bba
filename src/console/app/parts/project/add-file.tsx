/** The command that adds the first file, and with it a commit and a branch, to a repository. */
export function AddFile({ id, name }: { readonly id: number; readonly name: string }) {
  return (
    <code>
      outpost api POST /projects/{id}/repository/files/{name} -F branch=main -F content="$(cat {name})" -F
      commit_message=Begin
    </code>
  );
}
