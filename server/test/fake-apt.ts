import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface FakeMirror {
  /** Suite → the Asterisk version it offers; suites not listed cannot be fetched. */
  readonly suites: Readonly<Record<string, string>>;
  /** The version that the unpacked program reports. */
  readonly says?: string;
  /** Package release; a different one counts as an update. */
  readonly release?: number;
  /** Downloads do not finish while this file exists. */
  readonly hold?: string;
}

/** Writes programs that act like apt and dpkg on a small mirror; returns an environment whose PATH contains them. */
export function writeFakeApt(folder: string, mirror: FakeMirror) {
  const { suites, says = 'Asterisk 22.1.0', release = 1, hold = '/nowhere' } = mirror;
  const file = `asterisk_${release}.deb`;
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const program = (name: string, lines: readonly string[]) => {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${folder}/calls\n${lines.join('\n')}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  const known = Object.entries(suites).map(
    ([suite, version]) => `  *" ${suite} "*) echo " asterisk | ${version} | here" ;;`,
  );
  program('apt-config', [`echo 'Acquire::http::Proxy "http://proxy:3128";'`, `echo 'APT::Evil "1";'`]);
  program('apt-cache', [
    '[ -n "$APT_CONFIG" ] || { echo " dpkg | 1 | here"; exit 0; }',
    'case "$(cat "$(dirname "$APT_CONFIG")/sources.list")" in',
    ...known,
    'esac',
  ]);
  program('apt-get', [
    'dir="$(dirname "$APT_CONFIG")"',
    'case "$*" in',
    `  *indextargets*) echo "file:/mirror|bookworm|main" ;;`,
    '  *update*) case "$(cat "$dir/sources.list")" in',
    ...Object.keys(suites).map((suite) => `    *" ${suite} "*) ;;`),
    '    *) echo "E: it is not there" >&2; exit 100 ;; esac ;;',
    `  *--print-uris*) echo "'file:/x' ${file} 2000000 SHA256:0" ;;`,
    `  *--download-only*) while [ -e ${hold} ]; do sleep 0.05; done`,
    `    head -c 2000000 /dev/zero > "$dir/cache/archives/${file}" ;;`,
    'esac',
  ]);
  program('dpkg-deb', [
    'mkdir -p "$3/usr/sbin" "$3/usr/lib/any-linux-gnu/asterisk/modules" "$3/usr/share/asterisk/sounds/en_US_x"',
    ': > "$3/usr/sbin/asterisk"',
    `printf '#!/bin/sh\\necho "${says}"\\n' > "$3/usr/lib/any-linux-gnu/ld-linux-any.so.1"`,
    'chmod 755 "$3/usr/lib/any-linux-gnu/ld-linux-any.so.1"',
  ]);
  return { PATH: `${bin}:/usr/bin:/bin` };
}
