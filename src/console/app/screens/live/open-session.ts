// The form that opens a browser session.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { button } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { dialog } from "../../ui/dialog.ts";
import { errorBox } from "../../ui/feedback.ts";
import { Field, select, textInput, Toggle } from "../../ui/fields.ts";
import { toAddress, type SavedProfile } from "./session-facts.ts";

export type OpenSessionProps = {
  readonly profiles: readonly SavedProfile[];
  readonly profile: string;
  readonly url: string;
  readonly onClose: () => void;
  readonly onOpened: (session: { readonly id: string }, address: string) => void;
};

const MINUTES = ["5", "10", "30", "60"] as const;
const NEW = "\n";

export function OpenSession(props: OpenSessionProps): VNode {
  const [address, setAddress] = useState(props.url);
  const [profile, setProfile] = useState(props.profile);
  const [name, setName] = useState("");
  const [saves, setSaves] = useState(true);
  const [minutes, setMinutes] = useState("10");
  const [isOpening, setOpening] = useState(false);
  const [fault, setFault] = useState<Error>();
  const chosen = profile === NEW ? name.trim() : profile;
  const isIncomplete = profile === NEW && chosen === "";
  const open = async (): Promise<void> => {
    if (isOpening || isIncomplete) return;
    setOpening(true);
    setFault(undefined);
    const seconds = Number(minutes) * 60;
    try {
      const session = await call<{ id: string }>("POST", "/v2/browser", {
        body: {
          ttl: seconds,
          activityTtl: Math.min(seconds, 600),
          ...(chosen === "" ? {} : { profile: { name: chosen, saveChanges: saves } }),
        },
      });
      props.onOpened(session, toAddress(address));
    } catch (error) {
      setFault(error instanceof Error ? error : new Error(String(error)));
      setOpening(false);
    }
  };
  return dialog({
    title: "Open a session",
    onClose: props.onClose,
    body: dom.form(
      {
        id: "open-session",
        class: "stack",
        onSubmit: (event) => {
          event.preventDefault();
          void open();
        },
      },
      fault !== undefined && errorBox(fault),
      create(Field, {
        label: "Address",
        help: "Optional. You can enter it later.",
        control: (ties) =>
          textInput({
            ...ties,
            value: address,
            mono: true,
            placeholder: "https://shop.example/login",
            onInput: setAddress,
          }),
      }),
      create(Field, {
        label: "Profile",
        help: "Cookies and storage by name. Without one, nothing is kept.",
        control: (ties) =>
          select({
            ...ties,
            value: profile,
            options: [
              { value: "", label: "None" },
              ...props.profiles.map((one) => ({
                value: one.name,
                label: one.inUse ? `${one.name} (in use)` : one.name,
              })),
              { value: NEW, label: "New profile …" },
            ],
            onChange: setProfile,
          }),
      }),
      profile === NEW &&
        create(Field, {
          label: "Name of the new profile",
          control: (ties) => textInput({ ...ties, value: name, onInput: setName }),
        }),
      profile !== "" &&
        create(Toggle, {
          label: "Save changes when the session ends",
          checked: saves,
          onChange: setSaves,
        }),
      create(Field, {
        label: "Lifetime",
        help: "2 credits for each started minute. The session ends after 10 minutes without input.",
        control: (ties) =>
          select({
            ...ties,
            value: minutes,
            options: MINUTES.map((value) => ({ value, label: `${value} minutes` })),
            onChange: setMinutes,
          }),
      }),
    ),
    foot: [
      button({ label: "Cancel", onClick: props.onClose }),
      button({
        label: isOpening ? "Opening …" : "Open",
        kind: "primary",
        disabled: isOpening || isIncomplete,
        onClick: () => void open(),
      }),
    ],
  });
}
