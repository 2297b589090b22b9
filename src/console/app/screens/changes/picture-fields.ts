// The part of a picture that a monitor compares: the region and masks are drawn on a picture of the
// page, or typed as numbers.
import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import type { Document } from "../../../../contract/page/document.ts";
import { call } from "../../data/api.ts";
import { pluralize, toList, toOwnAddress } from "../../data/format.ts";
import { isBox, parseBox, spanBox, writeBox, type Box, type Size } from "../../ui/boxes.ts";
import { button } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { Field, segments, textInput } from "../../ui/fields.ts";
import { pictureBoxes, type MarkedBox } from "../../ui/picture-boxes.ts";
import { useLoad } from "../../ui/use-load.ts";
import { toFirstUrl, type Fields } from "./monitor-fields.ts";

type Drawn = Pick<Fields, "region" | "masks" | "threshold">;

export type PictureFieldsProps = {
  readonly fields: Fields;
  /** Options of the monitored scrape, so that the picture is the one that is compared. */
  readonly scrapeOptions: Readonly<Record<string, unknown>>;
  readonly onChange: (change: Partial<Drawn>) => void;
};

type Shot = { readonly src: string; readonly warning: string | undefined };

async function takePicture(
  url: string,
  scrapeOptions: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Shot> {
  // The values of stored headers are never shown, so they cannot be sent from here.
  const { headers: _headers, formats: _formats, ...options } = scrapeOptions;
  const { data, warning } = await call<{ data: Document; warning?: string }>("POST", "/v2/scrape", {
    body: { ...options, url, formats: [{ type: "screenshot", fullPage: true }] },
    signal,
  });
  const shown = data.warning ?? warning;
  if (typeof data.screenshot !== "string")
    throw new Error(`There is no picture of the page. ${shown ?? ""}`.trim());
  return { src: toOwnAddress(data.screenshot), warning: shown };
}

const readMasks = (masks: string): string[] => toList(masks, /\n/);

function listBoxes({ region, masks }: Drawn): MarkedBox[] {
  const kept = parseBox(region);
  return [
    ...(isBox(kept) ? [{ id: "region", label: "Region", kind: "kept" as const, box: kept }] : []),
    ...readMasks(masks).flatMap((line, at): MarkedBox[] => {
      const box = parseBox(line);
      const id = `mask-${at}`;
      return isBox(box) ? [{ id, label: `Mask ${at + 1}`, kind: "covered", box }] : [];
    }),
  ];
}

type Tool = "region" | "mask" | "look";

function PictureCanvas({ fields, scrapeOptions, onChange }: PictureFieldsProps): VNode {
  const [tool, setTool] = useState<Tool>("region");
  const [size, setSize] = useState<Size>();
  const helpId = useId();
  const url = toFirstUrl(fields);
  const loaded = useLoad((signal) => takePicture(url, scrapeOptions, signal), [url]);
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return dom.div({ "aria-busy": true }, skeleton(8));
  const masks = readMasks(fields.masks);
  const change = (id: string, box: Box | undefined): void => {
    const text = box === undefined ? [] : [writeBox(box)];
    if (id === "region") onChange({ region: text.join("") });
    else
      onChange({ masks: masks.toSpliced(Number(id.replace("mask-", "")), 1, ...text).join("\n") });
  };
  const draw = (box: Box): void => {
    if (tool === "region") change("region", box);
    else change(`mask-${masks.length}`, box);
  };
  const addInMiddle = (): void => {
    if (size === undefined) return;
    const [x, y] = [size.width / 4, Math.min(size.height, size.width) / 4];
    draw(spanBox({ x, y }, { x: x * 3, y: y * 2 }, size));
  };
  return dom.div(
    { class: "stack tight" },
    dom.div(
      { class: "row wrap" },
      segments({
        label: "Draw on the picture",
        value: tool,
        options: [
          { value: "region", label: "Draw the region" },
          { value: "mask", label: "Draw masks" },
          { value: "look", label: "Scroll" },
        ],
        onChange: (next) => setTool(next as Tool),
      }),
      tool !== "look" &&
        button({
          label: tool === "region" ? "Add a region" : "Add a mask",
          title: "Adds a box that the arrow keys move",
          small: true,
          icon: "plus",
          disabled: size === undefined,
          onClick: addInMiddle,
        }),
    ),
    loaded.value.warning !== undefined && dom.p({ class: "notice small" }, loaded.value.warning),
    pictureBoxes({
      src: loaded.value.src,
      alt: "Picture of the page",
      boxes: listBoxes(fields),
      drawing: tool === "look" ? undefined : tool === "region" ? "kept" : "covered",
      describedBy: helpId,
      onSize: setSize,
      onDraw: draw,
      onChange: change,
      onRemove: (id) => change(id, undefined),
    }),
    dom.p(
      { id: helpId, class: "tiny soft" },
      "Drag to draw. Drag a box to move it, its corner to resize it. With the keyboard: arrows move a box by 10 pixels, with Alt by 1, with Shift they resize it; Delete removes it.",
    ),
    dom.p(
      { class: "tiny soft", role: "status" },
      size === undefined
        ? "Loading the picture …"
        : `${size.width} × ${size.height} pixels. ${fields.region.trim() === "" ? "No region: the window at the top of the page is compared." : `Region: ${fields.region}.`} ${pluralize(masks.length, "mask")}.`,
    ),
  );
}

export function PictureFields(props: PictureFieldsProps): VNode {
  const { fields, scrapeOptions, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  const hasHeaders = Object.keys((scrapeOptions["headers"] ?? {}) as object).length > 0;
  const typed = (
    name: keyof Drawn,
    label: string,
    more: { readonly help?: string; readonly placeholder: string; readonly rows?: number },
  ): VNode =>
    create(Field, {
      label,
      ...(more.help !== undefined && { help: more.help }),
      control: (ties) =>
        textInput({
          ...ties,
          value: fields[name],
          mono: name !== "threshold",
          placeholder: more.placeholder,
          ...(more.rows !== undefined && { rows: more.rows }),
          onInput: (value) => onChange({ [name]: value }),
        }),
    });
  return dom.div(
    { class: "stack" },
    isOpen && toFirstUrl(fields) !== ""
      ? create(PictureCanvas, props)
      : dom.div(
          { class: "row wrap" },
          button({
            label: "Draw on the page",
            icon: "tap",
            disabled: toFirstUrl(fields) === "",
            onClick: () => setOpen(true),
          }),
          dom.span(
            { class: "small soft" },
            `Takes a picture of the page, as one scrape${hasHeaders ? ", without the headers of the monitor" : ""}. Needs a browser on the server.`,
          ),
        ),
    dom.div(
      { class: "form-pair" },
      typed("region", "Region", {
        placeholder: "0 120 800 600",
        help: "Left, top, width, height in pixels; empty for the window.",
      }),
      typed("threshold", "Change above, in percent", { placeholder: "0.0001" }),
    ),
    typed("masks", "Masks, one per line", {
      rows: 2,
      placeholder: "600 0 200 90",
      help: "Parts that never count, such as a clock.",
    }),
  );
}
