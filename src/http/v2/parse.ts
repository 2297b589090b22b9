import type { Identity } from "../../account/identity.ts";
import {
  IMAGE_UPLOAD_EXTENSIONS,
  parseOptionsSchema,
  UPLOAD_EXTENSIONS,
  type ParseOptions,
  type ParseReference,
} from "../../contract/page/parse.ts";
import { RequestError } from "../../errors.ts";
import { toJsonBytes } from "../../runtime/json-bytes.ts";
import type { UploadReferences } from "../../scrape/upload-references.ts";
import type { ParseUpload, Upload } from "../../scrape/uploads.ts";
import { answerWithProgress } from "../answer-with-progress.ts";
import { parseStorableJson } from "../middleware/storable-text.ts";
import { UploadForm, type UploadedFile } from "../middleware/upload.ts";
import { checkAgainst, type Call, type Handlers } from "../route.ts";
import type { PublicAddress } from "../public-address.ts";
import { readExplain } from "./scrape.ts";

export type ParseRouteParts = {
  readonly parse: ParseUpload;
  readonly uploads: UploadReferences;
  readonly address: PublicAddress;
};

export function createParseHandlers({ parse, uploads, address }: ParseRouteParts): Handlers {
  const read = async (body: unknown, identity: Identity): Promise<[Upload, ParseOptions]> => {
    if (body instanceof UploadForm)
      return [checkFile(body.file), checkAgainst(parseOptionsSchema, readOptions(body.options))];
    const { uploadRef, options } = body as ParseReference;
    return [await uploads.open(uploadRef, identity), options];
  };
  return {
    "POST /v2/parse": async (call: Call) => {
      const { body, identity, request, signal } = call;
      const [file, options] = await read(body, identity);
      const explain = readExplain(request.headers);
      const context = { identity, requestId: request.id, base: address(request, ""), signal };
      return await answerWithProgress(call, async (reading) => {
        const result = await parse(file, options, { ...context, explain, reading });
        const answer: Record<string, unknown> = { success: true, data: result.document };
        if (result.explanation !== undefined) answer["explanation"] = result.explanation;
        return toJsonBytes(answer);
      });
    },
  };
}

function checkFile(file: UploadedFile | undefined): UploadedFile {
  if (file === undefined) throw new RequestError("BAD_REQUEST", "Missing file upload");
  if (file.bytes.length === 0)
    throw new RequestError("BAD_REQUEST", "Uploaded file must not be empty.");
  checkFileName(file.name);
  return file;
}

/** Throws UNSUPPORTED_FILE_TYPE for names without the extension of a parsable file. */
export function checkFileName(name: string): void {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (!UPLOAD_EXTENSIONS.has(extension) && !IMAGE_UPLOAD_EXTENSIONS.has(extension))
    throw new RequestError(
      "UNSUPPORTED_FILE_TYPE",
      `Unsupported upload type: ${extension === "" ? "the name has no extension" : extension}. Supported extensions: ${[...UPLOAD_EXTENSIONS, ...IMAGE_UPLOAD_EXTENSIONS].join(", ")}.`,
    );
}

function readOptions(text: string | undefined): unknown {
  if (text === undefined || text.trim() === "") return {};
  try {
    return parseStorableJson(text);
  } catch (cause) {
    if (cause instanceof RequestError) throw cause;
    throw new RequestError("BAD_REQUEST", "Invalid JSON in the options part.", { cause });
  }
}
