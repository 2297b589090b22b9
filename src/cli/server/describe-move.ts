import type { MoveReport } from "../../store/backup/move.ts";
import { formatPlural } from "../jobs/progress.ts";

/** Lists what `quarry move` copied, what it left out, and what to do next. */
export function describeMove(
  { rows, tables, blobs, damagedBlobs }: MoveReport & { readonly rows: number },
  { movesBlobs }: { readonly movesBlobs: boolean },
): string[] {
  const copied = `${formatPlural(rows, "row")} of ${formatPlural(Object.keys(tables).length, "table")}`;
  const lines = [
    `Copied ${copied}. Each table has as many rows as in the source.`,
    `Start the server with DATABASE_URL${movesBlobs ? ", QUARRY_BLOBS" : ""} and QUARRY_SECRET (the content of the file secret in the data folder).`,
    "The data folder is unchanged; remove its folder database when the new server works.",
  ];
  if (!movesBlobs) return lines;
  const found = `Copied ${formatPlural(blobs, "blob")}. The new store lists each of them.`;
  const leftOut = `Left out ${formatPlural(damagedBlobs, "damaged blob")}, which the source keeps.`;
  return lines.toSpliced(1, 0, found, ...(damagedBlobs === 0 ? [] : [leftOut]));
}
