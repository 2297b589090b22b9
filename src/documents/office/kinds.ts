// Office files by MIME type and file extension.

export type OfficeKind =
  | "docx"
  | "doc"
  | "odt"
  | "rtf"
  | "xlsx"
  | "ods"
  | "pptx"
  | "ppt"
  | "odp"
  | "epub"
  | "csv";

const OPEN_XML = "application/vnd.openxmlformats-officedocument.";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument.";
const MICROSOFT = "application/vnd.ms-";

/** "any" for containers that declare their own content. */
const BY_MIME: Readonly<Record<string, OfficeKind | "any">> = {
  [`${OPEN_XML}wordprocessingml.document`]: "docx",
  [`${MICROSOFT}word.document.macroenabled.12`]: "docx",
  "application/msword": "doc",
  [`${OPEN_DOCUMENT}text`]: "odt",
  "application/rtf": "rtf",
  "text/rtf": "rtf",
  [`${OPEN_XML}spreadsheetml.sheet`]: "xlsx",
  [`${MICROSOFT}excel`]: "xlsx",
  [`${MICROSOFT}excel.sheet.macroenabled.12`]: "xlsx",
  [`${MICROSOFT}excel.sheet.binary.macroenabled.12`]: "xlsx",
  [`${OPEN_DOCUMENT}spreadsheet`]: "ods",
  [`${OPEN_XML}presentationml.presentation`]: "pptx",
  [`${MICROSOFT}powerpoint.presentation.macroenabled.12`]: "pptx",
  [`${MICROSOFT}powerpoint`]: "ppt",
  [`${OPEN_DOCUMENT}presentation`]: "odp",
  "application/epub+zip": "epub",
  "text/csv": "csv",
  "application/csv": "csv",
  "application/x-cfb": "any",
};

const BY_EXTENSION: Readonly<Record<string, OfficeKind>> = {
  docx: "docx",
  docm: "docx",
  doc: "doc",
  odt: "odt",
  rtf: "rtf",
  xlsx: "xlsx",
  xlsm: "xlsx",
  xlsb: "xlsx",
  xls: "xlsx",
  ods: "ods",
  pptx: "pptx",
  pptm: "pptx",
  ppt: "ppt",
  odp: "odp",
  epub: "epub",
  csv: "csv",
};

/**
 * Returns the kind of office file for a MIME essence, "any" for a container of several, undefined
 * for other types.
 */
export const findOfficeKind = (mimeType: string): OfficeKind | "any" | undefined =>
  BY_MIME[mimeType];

/** Returns the MIME type for a file name's extension. */
export function findOfficeMimeByName(name: string): string | undefined {
  const kind = findOfficeKindByName(name);
  return kind === undefined
    ? undefined
    : Object.keys(BY_MIME).find((mimeType) => BY_MIME[mimeType] === kind);
}

/** Returns the kind for a file name's extension. */
export function findOfficeKindByName(name: string): OfficeKind | undefined {
  return BY_EXTENSION[/\.([a-z]{3,4})$/i.exec(name)?.[1]?.toLowerCase() ?? ""];
}
