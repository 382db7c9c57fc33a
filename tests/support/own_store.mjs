// A store of a test's own: a file in its folder, or a database of the cluster whose socket lies in MUNCHBOT_POSTGRES.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';

const CLUSTER = process.env.MUNCHBOT_POSTGRES;

export async function ownStore(folder) {
  if (!CLUSTER) return `sqlite:${path.join(folder, 'tables.db')}`;
  const name = `t${randomBytes(8).toString('hex')}`;
  await promisify(execFile)('psql', ['-q', '-h', CLUSTER, '-U', 'postgres', '-c', `CREATE DATABASE ${name}`]);
  return `postgresql://postgres@/${name}?host=${CLUSTER}`;
}
