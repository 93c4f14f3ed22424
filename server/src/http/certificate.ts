import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { selfSignedCertificate } from '../lib/self-signed.ts';

interface CertificatePlace {
  readonly dataDir: string;
  /** The operator's own certificate; takes precedence over a self-signed one. */
  readonly files: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly now: number;
}

/** The operator's certificate, or the self-signed one from the data directory, made anew when missing or expired. */
export async function loadCertificate({
  dataDir,
  files,
  now,
}: CertificatePlace): Promise<{ cert: string; key: string }> {
  if (files) return { cert: await readText(files.certFile), key: await readText(files.keyFile) };
  const certFile = join(dataDir, 'tls-cert.pem');
  const keyFile = join(dataDir, 'tls-key.pem');
  try {
    const kept = { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') };
    if (Date.parse(new X509Certificate(kept.cert).validTo) > now) return kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = selfSignedCertificate([hostname(), 'localhost'], now);
  await writeFile(keyFile, made.key, { mode: 0o600 });
  await writeFile(certFile, made.cert, { mode: 0o600 });
  return made;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read the TLS file ${file}: ${(error as Error).message}`);
  }
}
