// Gives a key a new secret; the old one works for a while, or ends at once.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { button } from "../../ui/button.ts";
import { dialog } from "../../ui/dialog.ts";
import { create, dom } from "../../ui/dom.ts";
import { Field, select } from "../../ui/fields.ts";
import { reportError, toast } from "../../ui/toast.ts";
import type { KeyView, NewKeyView } from "./key-views.ts";

const HOUR_MS = 3_600_000;
const DEFAULT_GRACE_MS = String(24 * HOUR_MS);
const GRACES = [
  { value: "0", label: "not at all: it may be known to others" },
  { value: String(HOUR_MS), label: "1 hour" },
  { value: DEFAULT_GRACE_MS, label: "24 hours" },
  { value: String(7 * 24 * HOUR_MS), label: "7 days" },
] as const;

type RotateProps = {
  readonly rotated: KeyView;
  readonly onClose: () => void;
  readonly onDone: (made: NewKeyView) => void;
};

export function RotateKey({ rotated, onClose, onDone }: RotateProps): VNode {
  const [graceMs, setGraceMs] = useState<string>(DEFAULT_GRACE_MS);
  const [isRunning, setRunning] = useState(false);
  const run = (): void => {
    setRunning(true);
    const body = { graceMs: Number(graceMs) };
    call<{ data: NewKeyView }>("POST", `/admin/keys/${rotated.id}/rotate`, { body }).then(
      ({ data }) => {
        toast(`The key “${rotated.name}” has a new secret.`);
        onDone(data);
      },
      (error: unknown) => {
        onClose();
        reportError(error);
      },
    );
  };
  return dialog({
    title: `Rotate “${rotated.name}”?`,
    onClose,
    body: dom.div(
      { class: "stack" },
      dom.p(
        null,
        "It gets a new secret, and keeps its name, scopes and limits. Its sessions in the console go on until the old secret ends.",
      ),
      create(Field, {
        label: "The old secret works for",
        control: (ties) =>
          select({ ...ties, value: graceMs, options: GRACES, onChange: setGraceMs }),
      }),
    ),
    foot: [
      button({ label: "Leave it", onClick: onClose }),
      button({ label: "Rotate the key", kind: "primary", disabled: isRunning, onClick: run }),
    ],
  });
}
