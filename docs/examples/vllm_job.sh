#!/bin/bash
# One node with a GPU: vLLM serves the model, Fathom asks it on the same node.
# sbatch docs/examples/vllm_job.sh; with --array=1-4 each task has a GPU and a shard of its own, then: fathom merge NAME
#SBATCH --job-name=fathom-vllm
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=8
#SBATCH --time=12:00:00
#SBATCH --requeue
set -eu
MODEL=Qwen/Qwen3-8B
NAME=qwen3-8b
STUDY=data/studies/ruler.yaml
# Tasks of an array can share a node, so each has a port of its own.
PORT=$((8000 + ${SLURM_ARRAY_TASK_ID:-0}))
cd "$SLURM_SUBMIT_DIR"

vllm serve "$MODEL" --host 127.0.0.1 --port "$PORT" --enable-prefix-caching &
SERVER=$!
trap 'kill "$SERVER"' EXIT
until curl --silent --fail "http://127.0.0.1:$PORT/health" > /dev/null; do
  kill -0 "$SERVER" # ends the job where vLLM has ended
  sleep 5
done

# The same job again resumes the run.
deno task --quiet fathom run --study "$STUDY" --model "$MODEL" --base-url "http://127.0.0.1:$PORT/v1" --name "$NAME" \
  ${SLURM_ARRAY_TASK_ID:+--shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"}
