import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { button } from "../../ui/button.ts";
import { dialog } from "../../ui/dialog.ts";
import { dom } from "../../ui/dom.ts";
import { errorBox } from "../../ui/feedback.ts";
import { toast } from "../../ui/toast.ts";
import type { Limits } from "./key-views.ts";
import { limitFields, toLimit, type LimitTexts } from "./limit-fields.ts";

export type EditLimitsProps = {
  readonly title: string;
  /** Path of the PATCH request. */
  readonly path: string;
  readonly limits: Limits;
  readonly isAccount?: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

const toTexts = (limits: Limits): LimitTexts =>
  Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [name, value === null ? "" : String(value)]),
  );

export function EditLimits({
  title,
  path,
  limits,
  isAccount = false,
  onClose,
  onDone,
}: EditLimitsProps): VNode {
  const [texts, setTexts] = useState<LimitTexts>(toTexts(limits));
  const [fault, setFault] = useState<Error>();
  const save = (): void => {
    const before = toTexts(limits);
    const changed = Object.entries(texts).filter(([name, text]) => text !== before[name]);
    if (changed.length === 0) return onClose();
    call("PATCH", path, {
      body: Object.fromEntries(changed.map(([name, text]) => [name, toLimit(text)])),
    }).then(
      () => {
        toast("The limits are changed.");
        onDone();
      },
      (error: unknown) => setFault(error instanceof Error ? error : new Error(String(error))),
    );
  };
  return dialog({
    title,
    onClose,
    body: [
      fault !== undefined && errorBox(fault),
      limitFields(texts, setTexts, isAccount),
      dom.p({ class: "small soft" }, "Credits that were spent count towards a new budget."),
    ],
    foot: [
      button({ label: "Cancel", onClick: onClose }),
      button({ label: "Save", kind: "primary", onClick: save }),
    ],
  });
}
