import { describe, expect } from 'vitest';
import { Actor } from '../../../packages/fakes/src/actor.ts';
import { streamedAnswer } from '../../../packages/fakes/src/chat.ts';
import { answersPictures, held, smallPng } from '../../../packages/fakes/src/service.ts';
import type { ContractTest } from './contract-test.ts';

/** Tests answers in the language of each person. */
export function languages(test: ContractTest): void {
	describe('the language of a person', () => {
		test('is used in answers to them, beside those to others', async ({ service, harness, ada }) => {
			const german = new Actor(harness.user('bjorn', 'de'));
			await german.does('/limits show').sees({ text: /Nur die Moderation darf .*benutzen/, private: true });
			await german.does('/imagine', { prompt: 'ein Fuchs', size: 'riesig' }).sees(/`size` muss Breite x Höhe sein/);
			const { behaviour, release } = held(answersPictures(await smallPng('#e74c3c', 24, 16)));
			service.next(behaviour);
			const imagine = german.does('/imagine', { prompt: 'ein Fuchs' });
			await imagine.sees(/Zeichne .*ein Fuchs/);
			release();
			const result = await imagine.sees({ pictures: 1 });
			expect(result.text).toMatch(/KI-generiert für Björn.*24 × 16.*1 Aufruf heute/s);
			expect(result.buttons).toEqual([
				'Nochmal',
				'Variieren',
				'Bearbeiten',
				'Als Vorlage',
				'Original herunterladen',
				'Löschen',
			]);
			await german.does('/usage').sees({ text: /Du heute: 1 verbraucht, Zurücksetzung/, private: true });
			const form = await german.presses('Bearbeiten', result).opens('Bild bearbeiten');
			expect(form.fields[0]?.name).toBe('prompt');

			const again = await ada.presses('Nochmal', result).sees({ text: /AI-generated for Ada/, pictures: 1 });
			expect(again.buttons).toEqual(['Again', 'Vary', 'Edit', 'Use as reference', 'Download original', 'Delete']);
			await ada.does('/usage').sees(/You today: 1 used, resets/);
		});

		test('is used in answers to a person who reads Chinese', async ({ service, harness }) => {
			const chinese = new Actor(harness.user('bjorn', 'zh-CN'));
			await chinese.does('/limits show').sees({ text: /只有版主可以使用/, private: true });
			await chinese.does('/imagine', { prompt: '狐狸', size: '很大' }).sees(/`size` 必须是宽x高/);
			const { behaviour, release } = held(answersPictures(await smallPng('#e74c3c', 24, 16)));
			service.next(behaviour);
			const imagine = chinese.does('/imagine', { prompt: '雪地里的狐狸' });
			await imagine.sees(/正在画 .*雪地里的狐狸/);
			release();
			const result = await imagine.sees({ pictures: 1 });
			expect(result.text).toMatch(/由 AI 为 Björn 生成.*24 × 16.*今天 1 次调用/s);
			expect(result.buttons).toEqual(['再来一次', '生成变体', '修改', '用作参考图', '下载原图', '删除']);
			await chinese.does('/usage').sees({ text: /你，今天：已用 1，重置时间/, private: true });
			await chinese.presses('修改', result).opens('修改图片');
		});

		test('is used to report a request that a restart has interrupted', async ({ service, harness }) => {
			const german = new Actor(harness.user('bjorn', 'de'));
			service.next(held(answersPictures(await smallPng())).behaviour);
			const imagine = german.does('/imagine', { prompt: 'unfertig' });
			await imagine.sees(/Zeichne/);
			await service.arrived(1);
			await harness.restart();
			const answer = await imagine.sees(/Easel wurde angehalten/);
			expect(answer.text).toMatch(/Der Aufruf bleibt gezählt/);
			expect(answer.buttons).toEqual(['Nochmal']);
		});

		test('is used to mark a chat that a restart has interrupted', async ({ service, harness }) => {
			const german = new Actor(harness.user('bjorn', 'de'));
			const answer = streamedAnswer();
			service.next(answer.behaviour);
			await german.does('/chat', { prompt: 'Von Füchsen' });
			await german.enters(/Von Füchsen/);
			await german.finds(/Ich antworte hier auf jede Nachricht/);
			await answer.sends('Es war einmal');
			await german.finds({ text: /Es war einmal/, buttons: ['Stopp'] });
			await harness.restart();
			const after = ['Neu schreiben', 'Das zeichnen', 'Vergessen'];
			await german.finds({ text: /Es war einmal\n\n\*Unterbrochen/, buttons: after });
		});
	});
}
