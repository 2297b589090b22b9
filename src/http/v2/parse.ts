import {
  IMAGE_UPLOAD_EXTENSIONS,
  parseOptionsSchema,
  UPLOAD_EXTENSIONS,
} from "../../contract/parse.ts";
import { RequestError } from "../../errors.ts";
import type { ParseUpload } from "../../scrape/uploads.ts";
import { UploadForm, type UploadedFile } from "../middleware/upload.ts";
import { checkAgainst, type Call, type Handlers } from "../route.ts";
import type { PublicAddress } from "../public-address.ts";

export type ParseRouteParts = {
  readonly parse: ParseUpload;
  readonly address: PublicAddress;
};

const NO_REFERENCES =
  "References to files that were uploaded before are not part of this version of the server; send the file as multipart/form-data.";

export function parseHandlers({ parse, address }: ParseRouteParts): Handlers {
  return {
    "POST /v2/parse": async ({ body, identity, request, signal }: Call) => {
      if (!(body instanceof UploadForm)) throw new RequestError("NOT_IMPLEMENTED", NO_REFERENCES);
      const file = checkFile(body.file);
      const options = checkAgainst(parseOptionsSchema, readOptions(body.options));
      const base = address(request, "");
      const explain = request.headers["x-quarry-explain"] !== undefined;
      const result = await parse(file, options, {
        identity,
        requestId: request.id,
        base,
        signal,
        explain,
      });
      const answer: Record<string, unknown> = { success: true, data: result.document };
      if (result.explanation !== undefined) answer["explanation"] = result.explanation;
      return answer;
    },
  };
}

function checkFile(file: UploadedFile | undefined): UploadedFile {
  if (file === undefined) throw new RequestError("BAD_REQUEST", "Missing file upload");
  if (file.bytes.length === 0)
    throw new RequestError("BAD_REQUEST", "Uploaded file must not be empty.");
  const extension = /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? "";
  if (!UPLOAD_EXTENSIONS.has(extension) && !IMAGE_UPLOAD_EXTENSIONS.has(extension))
    throw new RequestError(
      "UNSUPPORTED_FILE_TYPE",
      `Unsupported upload type: ${extension === "" ? "the name has no ending" : extension}. Files may end in ${[...UPLOAD_EXTENSIONS, ...IMAGE_UPLOAD_EXTENSIONS].join(", ")}.`,
    );
  return file;
}

function readOptions(text: string | undefined): unknown {
  if (text === undefined || text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RequestError("BAD_REQUEST", "Invalid JSON in the options part.", { cause });
  }
}
