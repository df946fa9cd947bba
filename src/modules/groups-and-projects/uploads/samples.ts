import type { SampleScene, Samples } from "../../kernel/sample.ts";

function form(name: string): FormData {
  const form = new FormData();
  form.set("file", new File(["Notes"], `${name}.txt`));
  return form;
}

/** The folder and name of a new upload. */
async function inFolder({ call }: SampleScene) {
  const [, , secret = "", filename = ""] = String((await call("POST /projects/:id/uploads")).get("url")).split("/");
  return { path: { secret, filename } };
}

const byId = async ({ call }: SampleScene) => ({
  path: { upload_id: (await call("POST /projects/:id/uploads")).get("id") },
});

export const uploadSamples: Samples = {
  "POST /projects/:id/uploads": ({ fresh }) => ({ multipart: form(fresh()) }),
  "GET /projects/:id/uploads/:upload_id": byId,
  "DELETE /projects/:id/uploads/:upload_id": byId,
  "GET /projects/:id/uploads/:secret/:filename": inFolder,
  "DELETE /projects/:id/uploads/:secret/:filename": inFolder,
  "GET /-/project/:id/uploads/:secret/:filename": async ({ call }) => ({
    address: String((await call("POST /projects/:id/uploads")).get("full_path")),
  }),
};
