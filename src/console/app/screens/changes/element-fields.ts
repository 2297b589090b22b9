// The elements of a page that a monitor compares: clicked on the page, or typed as selectors.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Document } from "../../../../contract/page/document.ts";
import { call } from "../../data/api.ts";
import { toList } from "../../data/format.ts";
import { button } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { Field, segments, textInput } from "../../ui/fields.ts";
import { pageFrame } from "../../ui/page-frame.ts";
import { useLoad } from "../../ui/use-load.ts";
import { toFirstUrl, type Fields } from "./monitor-fields.ts";

type Elements = Pick<Fields, "include" | "exclude">;
type Side = keyof Elements;

export type ElementFieldsProps = {
  readonly fields: Fields;
  /** Options of the monitored scrape, so that the page is the one that is compared. */
  readonly scrapeOptions: Readonly<Record<string, unknown>>;
  readonly onChange: (change: Partial<Elements>) => void;
};

async function loadPage(
  url: string,
  scrapeOptions: ElementFieldsProps["scrapeOptions"],
  signal: AbortSignal,
): Promise<string> {
  const { headers: _headers, formats: _formats, ...options } = scrapeOptions;
  const { data } = await call<{ data: Document }>("POST", "/v2/scrape", {
    body: { ...options, url, formats: ["rawHtml"] },
    signal,
  });
  return data.rawHtml ?? "";
}

function PointedPage({ fields, scrapeOptions, onChange }: ElementFieldsProps): VNode {
  const [side, setSide] = useState<Side>("include");
  const [last, setLast] = useState<{
    readonly selectors: readonly string[];
    readonly at: number;
  }>();
  const url = toFirstUrl(fields);
  const loaded = useLoad((signal) => loadPage(url, scrapeOptions, signal), [url]);
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return dom.div({ "aria-busy": true }, skeleton(8));
  const replace = (former: string | undefined, selector: string): void => {
    const list = toList(fields[side]).filter((one) => one !== former && one !== selector);
    onChange({ [side]: [...list, selector].join(", ") });
  };
  const current = last?.selectors[last.at];
  const wider = last?.selectors[last.at + 1];
  return dom.div(
    { class: "stack tight" },
    dom.div(
      { class: "row wrap" },
      segments({
        label: "A click on the page",
        value: side,
        options: [
          { value: "include", label: "Keeps an element" },
          { value: "exclude", label: "Leaves one out" },
        ],
        onChange: (next) => {
          setSide(next as Side);
          setLast(undefined);
        },
      }),
      button({
        label: "Wider",
        title: "Select the parent of the last element",
        small: true,
        disabled: last === undefined || wider === undefined,
        onClick: () => {
          if (last === undefined || wider === undefined) return;
          replace(current, wider);
          setLast({ ...last, at: last.at + 1 });
        },
      }),
      current !== undefined &&
        dom.span({ class: "tiny soft", role: "status" }, "Chosen: ", dom.code(null, current)),
    ),
    pageFrame({
      title: "Page",
      html: loaded.value,
      kind: "page",
      outlined: { kept: toList(fields.include), left: toList(fields.exclude) },
      onPicked: (_text, selectors) => {
        const [selector] = selectors;
        if (selector === undefined) return;
        replace(undefined, selector);
        setLast({ selectors, at: 0 });
      },
    }),
  );
}

export function ElementFields(props: ElementFieldsProps): VNode {
  const { fields, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  const hasAddress = toFirstUrl(fields) !== "";
  const typed = (name: Side, label: string, placeholder: string, help?: string): VNode =>
    create(Field, {
      label,
      ...(help !== undefined && { help }),
      control: (ties) =>
        textInput({
          ...ties,
          value: fields[name],
          mono: true,
          placeholder,
          onInput: (value) => onChange({ [name]: value }),
        }),
    });
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "form-pair" },
      typed(
        "include",
        "Only these elements",
        ".price, #stock",
        "CSS selectors; empty for the whole page.",
      ),
      typed("exclude", "Without these elements", ".banner"),
    ),
    isOpen && hasAddress
      ? create(PointedPage, props)
      : dom.div(
          { class: "row wrap" },
          button({
            label: "Pick on the page",
            icon: "tap",
            disabled: !hasAddress,
            onClick: () => setOpen(true),
          }),
          dom.span({ class: "small soft" }, "Opens the page, as one scrape. Click its elements."),
        ),
  );
}
