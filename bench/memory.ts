import { readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of a process now (`VmRSS`), and its peak (`VmHWM`), in MB. https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
export function memoryOf(process: number | 'self', field: 'VmRSS' | 'VmHWM'): number {
	const status = readFileSync(`/proc/${process}/status`, 'utf8');
	return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

/** Makes the current memory of a process its peak. https://www.kernel.org/doc/html/latest/filesystems/proc.html */
export const resetPeak = (process: number | 'self') => writeFileSync(`/proc/${process}/clear_refs`, '5');
