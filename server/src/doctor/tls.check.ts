import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Finding, ok, type Patient, problem, warning } from './finding.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 21;

export async function checkTls({ config, clock }: Patient): Promise<Finding[]> {
  if (config.httpsPort === undefined) return [ok('HTTPS is off')];
  const { tls, dataDir } = config;
  const certFile = tls?.certFile ?? join(dataDir, 'tls-cert.pem');
  const keyFile = tls?.keyFile ?? join(dataDir, 'tls-key.pem');
  if (!tls && !existsSync(certFile))
    return [ok('TLS: a self-signed certificate will be created at the next start')];
  const remedy = tls
    ? 'put a valid certificate and its key where PBXCORE_TLS_CERT and PBXCORE_TLS_KEY point, then restart'
    : `remove ${certFile} and restart: a new one is created`;
  try {
    const certificate = new X509Certificate(await readFile(certFile));
    const key = createPrivateKey(await readFile(keyFile));
    if (!certificate.checkPrivateKey(key)) {
      return [problem(`TLS: the key ${keyFile} does not belong to the certificate ${certFile}`, remedy)];
    }
    const now = clock.now();
    const daysLeft = Math.floor((Date.parse(certificate.validTo) - now) / DAY_MS);
    if (Date.parse(certificate.validFrom) > now)
      return [
        problem(`TLS: the certificate ${certFile} is valid only from ${certificate.validFrom}`, remedy),
      ];
    if (daysLeft < 0)
      return [problem(`TLS: the certificate ${certFile} expired on ${certificate.validTo}`, remedy)];
    if (daysLeft < SOON_DAYS)
      return [warning(`TLS: the certificate ${certFile} expires in ${daysLeft} days`, remedy)];
    return [ok(`TLS: the certificate is valid for ${daysLeft} more days`)];
  } catch (error) {
    return [problem(`TLS: ${(error as Error).message}`, remedy)];
  }
}
