#!/bin/bash
# One node with a GPU: vLLM serves the model, Fathom asks it on the same node.
# sbatch docs/examples/vllm_job.sh; with --array=1-4 each task has its own GPU and shard, then: fathom verify NAME
#SBATCH --job-name=fathom-vllm
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=8
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --signal=B:TERM@120
set -eu
# Each can be set in the environment instead.
MODEL=${MODEL:-Qwen/Qwen3-8B}
NAME=${NAME:-qwen3-8b}
STUDY=${STUDY:-data/studies/ruler.yaml}
# Tasks of an array can share a node, so each has a port of its own.
PORT=${PORT:-$((8000 + ${SLURM_ARRAY_TASK_ID:-0}))}
# How long the model may load, in seconds.
LOADING=${LOADING:-3600}
cd "${SLURM_SUBMIT_DIR:-.}"

vllm serve "$MODEL" --host 127.0.0.1 --port "$PORT" --enable-prefix-caching --enable-prompt-tokens-details &
SERVER=$!
trap 'kill "$SERVER" 2> /dev/null || true; wait "$SERVER" || true' EXIT
until curl --silent --fail --output /dev/null "http://127.0.0.1:$PORT/health"; do
  if ! kill -0 "$SERVER" 2> /dev/null; then echo "vLLM has ended" >&2; exit 1; fi
  if [ "$SECONDS" -ge "$LOADING" ]; then echo "vLLM is not up after $LOADING seconds" >&2; exit 1; fi
  sleep 2
done

# The same job again resumes the run.
deno task --quiet fathom run --study "$STUDY" --model "$MODEL" --base-url "http://127.0.0.1:$PORT/v1" --name "$NAME" \
  ${SLURM_ARRAY_TASK_ID:+--shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"} &
RUN=$!
trap 'kill -TERM "$RUN"' TERM
CODE=0
wait "$RUN" || CODE=$?
# A signal ends the first wait, and the run ends soon after it.
while kill -0 "$RUN" 2> /dev/null; do CODE=0; wait "$RUN" || CODE=$?; done
# 143: stopped before its end. Where the time limit is near, and nobody cancelled it, the job is queued again.
if [ "$CODE" = 143 ] && [ -n "${SLURM_JOB_ID:-}" ]; then
  JOB=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID}
  read -r STATE ENDS <<< "$(squeue --noheader --jobs="${JOB:-$SLURM_JOB_ID}" --format="%T %e")"
  if [ "$STATE" = RUNNING ] && [ "$(date +%s)" -ge "$(($(date -d "$ENDS" +%s) - 240))" ]; then
    scontrol requeue "${JOB:-$SLURM_JOB_ID}"
  fi
fi
exit "$CODE"
