/** The folders, addresses and limits of one Asterisk: everything its configuration needs besides the desired state. */
export interface Site {
  /** Holds everything below, except recordings and what comes with the installation. */
  readonly stateDir: string;
  readonly etcDir: string;
  readonly logDir: string;
  readonly spoolDir: string;
  /** Its own small database and keys. */
  readonly libDir: string;
  /** Of the installation: modules, and prompts with documentation. `undefined` = as it was built. */
  readonly modulesDir: string | undefined;
  readonly shareDir: string | undefined;
  readonly recordingsDir: string;
  /** Sounds of the service that are played to callers. The engine only reads there. */
  readonly soundsDir: string;
  /** Written by Asterisk itself, one line per event of a channel: what happened while nobody listened. */
  readonly journalFile: string;

  /** `0.0.0.0` = every address. */
  readonly sipHost: string;
  /** UDP and TCP. */
  readonly sipPort: number;
  readonly tlsPort: number;
  readonly tlsCertFile: string;
  readonly tlsKeyFile: string;
  readonly rtpFrom: number;
  readonly rtpTo: number;
  /** A call is ended when one side sends no sound for this long; 0 = never. */
  readonly silenceSeconds: number;
  /** How often a phone has to confirm that it still has its call; 0 = never. */
  readonly sessionSeconds: number;
  /** What phones and providers outside see instead of our own address. */
  readonly externalAddress: string | undefined;
  /** CIDRs that are reached without the external address. */
  readonly localNetworks: readonly string[];

  readonly ami: AmiSite;
  /** Begins every unique id, so that those of two nodes differ. Letters, digits and `-`. */
  readonly systemName: string;
  /** Digits of internal numbers. */
  readonly extensionLength: number;
  readonly timezone: string;
  readonly version: AsteriskVersion;
}

export interface AmiSite {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly secret: string;
}

export interface AsteriskVersion {
  readonly major: number;
  /** As Asterisk reports it: `22.10.1~dfsg+~cs6.15.60671435-1`. */
  readonly text: string;
}
