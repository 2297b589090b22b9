import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import { formatBytes } from "../../data/format.ts";
import { classes, dom } from "../../ui/dom.ts";
import { icon } from "../../ui/icons.ts";

/** A file by drop, by click or by keyboard. */
export function FilePicker({
  file,
  onChange,
}: {
  readonly file: File | undefined;
  readonly onChange: (file: File) => void;
}): VNode {
  const [isOver, setOver] = useState(false);
  const id = useId();
  const take = (files: FileList | null | undefined): void => {
    const first = files?.[0];
    if (first !== undefined) onChange(first);
  };
  return dom.div(
    {
      class: classes("drop", isOver && "over"),
      onDragOver: (event) => {
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      },
    },
    dom.input({
      id,
      type: "file",
      class: "visually-hidden",
      onChange: (event) => take(event.currentTarget.files),
    }),
    dom.label(
      { for: id },
      icon("docs"),
      file === undefined
        ? "Drop a file here, or choose one: PDF, Word, Excel, EPUB, HTML, pictures …"
        : [
            dom.strong({ class: "truncate", dir: "auto" }, file.name),
            dom.span({ class: "faint num" }, formatBytes(file.size)),
          ],
    ),
  );
}
