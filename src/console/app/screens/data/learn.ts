// Learns an extractor by pointing: open a page, click values, see the rest light up.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ExtractorBody, RunResponse } from "../../../../contract/extractors/extractor.ts";
import { call } from "../../data/api.ts";
import { pluralize } from "../../data/format.ts";
import { place, setQuery } from "../../router.ts";
import { button, iconButton, linkButton } from "../../ui/button.ts";
import { classes, create, dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { textInput } from "../../ui/fields.ts";
import { pageFrame } from "../../ui/page-frame.ts";
import { screenHead } from "../../ui/screen-head.ts";
import { useLoad } from "../../ui/use-load.ts";
import { ExtractedTable, type ExtractedPage } from "./extractor-result.ts";
import { extractorPath } from "./extractors.ts";
import { loadPageHtml } from "./lit-page.ts";
import { findFieldFault, listTexts, toExample, type PickedField } from "./picks.ts";

type Learned = {
  readonly extractor: ExtractorBody;
  readonly warning: string | undefined;
  readonly page: ExtractedPage | undefined;
};

async function learn(url: string, fields: readonly PickedField[]): Promise<Learned> {
  const { data, warning } = await call<{ data: ExtractorBody; warning?: string }>(
    "POST",
    "/v2/extractors",
    { body: { examples: [{ url, data: toExample(fields) }] } },
  );
  const run = await call<RunResponse>("POST", `/v2/extractors/${data.id}/run`, {
    body: { urls: [url] },
  });
  return { extractor: data, warning, page: run.data[0] };
}

export function Learn(): VNode {
  const url = place.value.query.get("url") ?? "";
  const [address, setAddress] = useState(url);
  const [fields, setFields] = useState<readonly PickedField[]>([{ name: "name", values: [] }]);
  const [current, setCurrent] = useState(0);
  const [learned, setLearned] = useState<Learned>();
  const [fault, setFault] = useState<Error>();
  const [isLearning, setLearning] = useState(false);
  const loaded = useLoad(
    async (signal) => (url === "" ? undefined : await loadPageHtml(url, signal)),
    [url],
  );
  const change = (at: number, next: Partial<PickedField>): void => {
    setLearned(undefined);
    setFields(fields.map((field, index) => (index === at ? { ...field, ...next } : field)));
  };
  const pick = (text: string): void => {
    const field = fields[current];
    if (text !== "" && field !== undefined && !field.values.includes(text))
      change(current, { values: [...field.values, text] });
  };
  const run = (): void => {
    setLearning(true);
    setFault(undefined);
    learn(url, fields).then(
      (result) => {
        setLearned(result);
        setLearning(false);
      },
      (error: unknown) => {
        setFault(error instanceof Error ? error : new Error(String(error)));
        setLearning(false);
      },
    );
  };
  const marks = learned?.page?.json === undefined ? undefined : listTexts(learned.page.json);
  const fieldFault = findFieldFault(fields);
  const picked = fields.flatMap(({ values }) => values);
  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: "New extractor",
      parent: { href: "/console/data", label: "Data" },
      text: "Click a value on the page for each field. For a list of records click the values of the first two.",
    }),
    dom.form(
      {
        class: "row",
        onSubmit: (event) => {
          event.preventDefault();
          const given = address.trim();
          setLearned(undefined);
          setFields([{ name: "name", values: [] }]);
          setQuery({ url: given === "" || /^https?:/i.test(given) ? given : `https://${given}` });
        },
      },
      textInput({
        "aria-label": "URL of a page",
        class: "grow",
        value: address,
        mono: true,
        placeholder: "https://shop.example/lamps",
        onInput: setAddress,
      }),
      button({ label: "Open", type: "submit", ...(url === "" && { kind: "primary" as const }) }),
    ),
    url === "" &&
      empty({
        icon: "tap",
        title: "Open a page first",
        text: "Its text and layout appear here without scripts and pictures. Then click the values that you want.",
      }),
    loaded.state === "failed" && errorBox(loaded.error, loaded.reload),
    url !== "" &&
      loaded.state === "loading" &&
      dom.div({ class: "panel panel-body" }, skeleton(10)),
    loaded.value !== undefined &&
      url !== "" &&
      dom.div(
        { class: "learn-columns" },
        dom.section(
          { class: "stack", "aria-label": "Fields" },
          dom.div(
            { class: "panel" },
            dom.div({ class: "panel-head" }, dom.h2(null, "Fields")),
            ...fields.map((field, at) =>
              dom.div(
                {
                  key: at,
                  class: classes("pick-row", at === current && "current"),
                  onFocusIn: () => setCurrent(at),
                },
                textInput({
                  "aria-label": `Name of field ${at + 1}`,
                  value: field.name,
                  onInput: (name) => change(at, { name }),
                }),
                iconButton({
                  icon: "trash",
                  label: `Remove field ${at + 1}`,
                  small: true,
                  disabled: fields.length === 1,
                  onClick: () => {
                    setLearned(undefined);
                    setFields(fields.toSpliced(at, 1));
                    setCurrent(0);
                  },
                }),
                dom.div(
                  { class: "pick-values" },
                  field.values.length === 0 &&
                    dom.span(
                      { class: "tiny soft" },
                      at === current ? "Click its value on the page." : "No value yet.",
                    ),
                  ...field.values.map((value) =>
                    dom.button(
                      {
                        key: value,
                        type: "button",
                        class: "chip",
                        dir: "auto",
                        title: `Remove ${value}`,
                        onClick: () =>
                          change(at, { values: field.values.filter((one) => one !== value) }),
                      },
                      value,
                    ),
                  ),
                ),
              ),
            ),
            dom.div(
              { class: "panel-body row wrap" },
              button({
                label: "Add a field",
                small: true,
                icon: "plus",
                onClick: () => {
                  setFields([...fields, { name: "", values: [] }]);
                  setCurrent(fields.length);
                },
              }),
              button({
                label: isLearning ? "Learning …" : "Learn",
                small: true,
                kind: "primary",
                disabled: isLearning || fieldFault !== undefined || toExample(fields) === undefined,
                onClick: run,
              }),
              dom.span(
                { class: "tiny soft", role: "status" },
                picked.length > 0 ? fieldFault : undefined,
              ),
            ),
          ),
          fault !== undefined && errorBox(fault),
          learned?.warning !== undefined && dom.div({ class: "notice" }, learned.warning),
          learned !== undefined &&
            dom.div(
              { class: "row wrap" },
              linkButton(extractorPath(learned.extractor.id), "Open the extractor", {
                kind: "primary",
              }),
              dom.span(
                { class: "small soft", role: "status" },
                `${pluralize(marks?.length ?? 0, "value")} found on this page.`,
              ),
            ),
        ),
        dom.section(
          { class: "stack", "aria-label": "Page" },
          pageFrame({
            title: "Page",
            html: loaded.value,
            kind: "page",
            marks: marks ?? picked,
            onPicked: pick,
          }),
          learned?.page !== undefined && create(ExtractedTable, { page: learned.page }),
        ),
      ),
  );
}
