import { Type } from "@sinclair/typebox";
import { idInPath, projectId, text, upload } from "../../../domain/parameters.ts";

/** releases 7. */
export const NewUpload = Type.Object(
  {
    id: Type.Integer(),
    alt: Type.String({ description: "text of the link; for pictures, the name without its end" }),
    url: Type.String({ description: "address in texts of the project" }),
    full_path: Type.String({ description: "path of the file on this server" }),
    markdown: Type.String({ description: "link in Markdown" }),
  },
  { $id: "NewUpload" },
);

/** releases 7: as maintainers list it. */
export const Upload = Type.Object(
  {
    id: Type.Integer(),
    size: Type.Integer({ description: "bytes" }),
    filename: Type.String(),
    created_at: Type.String({ format: "date-time" }),
    uploaded_by: Type.Union([
      Type.Object({ id: Type.Integer(), name: Type.String(), username: Type.String() }),
      Type.Null(),
    ]),
  },
  { $id: "Upload" },
);

const place = { secret: text({ description: "32 hexadecimal digits" }), filename: text() };

export const uploadParameters = {
  list: Type.Object({ id: projectId() }),
  create: Type.Object({ id: projectId(), file: upload() }),
  byId: Type.Object({ id: projectId(), upload_id: idInPath("id of the upload") }),
  byPlace: Type.Object({ id: projectId(), ...place }),
  inAddress: Type.Object({ id: idInPath("id of the project"), ...place }),
};
